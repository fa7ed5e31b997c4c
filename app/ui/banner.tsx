import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-names.ts'

export type BannerTone = 'info' | 'success' | 'error' | 'glow'
const ICONS = {
  info: 'info',
  success: 'circle-check',
  error: 'circle-alert',
  glow: 'sparkles',
} as const satisfies Record<BannerTone, IconName>

/**
 * A permanent notice on a page. Use a toast for messages that disappear, and a dialog for questions.
 * @param props.strip one slim line across the full width, for notices above the header
 */
export function Banner({
  tone = 'info',
  title,
  action,
  strip,
  children,
}: {
  tone?: BannerTone
  title?: ReactNode
  action?: ReactNode
  strip?: boolean
  children?: ReactNode
}) {
  const icon = ICONS[tone]
  return (
    <div className={classNames('notice', tone !== 'info' && `notice-${tone}`, strip && 'notice-strip')}>
      {strip ? null : <Icon name={icon} />}
      <div className="min-w-0 wrap-anywhere">
        {title ? <p className="font-semibold">{title}</p> : null}
        {children}
      </div>
      {action}
    </div>
  )
}
