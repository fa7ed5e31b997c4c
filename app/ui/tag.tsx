import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type TagTone = 'brand' | 'neutral' | 'success' | 'error' | 'glow'

/** A short label for a kind or state. Not interactive. */
export function Tag({
  tone = 'brand',
  icon,
  children,
}: {
  tone?: TagTone
  icon?: ReactNode
  children: ReactNode
}) {
  return (
    <span className={classNames('tag', tone !== 'brand' && `tag-${tone}`)}>
      {icon}
      {children}
    </span>
  )
}
