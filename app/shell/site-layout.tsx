import type { ReactNode } from 'react'

export const MAIN_ID = 'main'

/** The frame of every page: skip link, notice, header, main, footer. */
export function SiteLayout({
  banner,
  header,
  footer,
  children,
}: {
  /** A strip above the header, such as the one for test payments. */
  banner?: ReactNode
  header: ReactNode
  footer: ReactNode
  children: ReactNode
}) {
  return (
    <div className="site">
      <a className="skip-link" href={`#${MAIN_ID}`}>
        Skip to content
      </a>
      {banner}
      {header}
      <main id={MAIN_ID} tabIndex={-1}>
        {children}
      </main>
      {footer}
    </div>
  )
}
