import type { ReactNode } from 'react'

/** One topic of a settings screen: heading and explanation on the left, controls on the right. */
export function SettingsSection({
  title,
  text,
  id,
  children,
}: {
  title: string
  text?: ReactNode
  id?: string
  children: ReactNode
}) {
  return (
    <section
      id={id}
      aria-label={title}
      className="grid gap-x-12 gap-y-5 border-line border-t py-8 lg:grid-cols-[minmax(0,15rem)_minmax(0,1fr)]"
    >
      <div>
        <h2 className="text-lg">{title}</h2>
        {text ? <div className="mt-1.5 max-w-prose text-quiet text-sm">{text}</div> : null}
      </div>
      <div className="min-w-0 max-w-column">{children}</div>
    </section>
  )
}
