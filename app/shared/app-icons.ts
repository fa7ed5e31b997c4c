/** An icon of the installed app. The build draws it from the mark (server/app-icons.ts). */
export type AppIcon = {
  file: string
  sizePx: number
  /**
   * `any` has rounded corners of its own, a system cuts its own shape out of `maskable` and `touch`, and `badge` is the
   * white mark alone, for a phone's status bar.
   */
  kind: 'any' | 'maskable' | 'touch' | 'badge'
}

const ICONS_PATH = '/icons/'

export const APP_ICONS: readonly AppIcon[] = [
  ...[48, 96, 192, 512].map((sizePx): AppIcon => ({ file: `icon-${sizePx}.png`, sizePx, kind: 'any' })),
  ...[192, 512].map((sizePx): AppIcon => ({ file: `maskable-${sizePx}.png`, sizePx, kind: 'maskable' })),
  { file: 'apple-touch-icon.png', sizePx: 180, kind: 'touch' },
  { file: 'badge-96.png', sizePx: 96, kind: 'badge' },
]

/** The address of an icon's file. */
export const iconPath = (file: string) => ICONS_PATH + file
