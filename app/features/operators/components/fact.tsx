import type { ReactNode } from 'react'

/** A row of a definition list: the label, and its value at the right. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 border-b border-line py-2.5">
      <dt className="text-quiet">{label}</dt>
      <dd className="figures min-w-0 text-right [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}
