import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { APP_ICONS, type AppIcon } from '../app/shared/app-icons.ts'

/** The side of the mark's drawing, in its own units. */
const SIDE = 48
/** The middle of the hook and the sun, which isn't quite the drawing's. */
const MIDDLE = { x: 21.9, y: 24.2 }
/** A system may cut away all but the middle 80% of a maskable icon, as a circle (w3.org/TR/appmanifest, 'safe zone'). */
const MASKABLE_SCALE = 0.9
const BADGE_SCALE = 1.25

/**
 * Draws the icons of the installed app from the mark.
 * @param mark the SVG of the mark on its rounded square
 * @param folder for 'icon-192.png' and the others
 */
export async function makeAppIcons(mark: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const svg = readFileSync(mark, 'utf8')
  for (const icon of APP_ICONS) {
    // The density makes the drawing as large as the icon, so that nothing is enlarged as pixels.
    await sharp(Buffer.from(drawingOf(svg, icon.kind)), { density: (72 * icon.sizePx) / SIDE })
      .resize(icon.sizePx, icon.sizePx)
      .png({ compressionLevel: 9 })
      .toFile(join(folder, icon.file))
  }
}

/** The mark as the kind of icon needs it: on a ground without corners, or alone in white. */
function drawingOf(svg: string, kind: AppIcon['kind']): string {
  if (kind === 'any') return svg
  const ground = /<rect [^<>]*>/.exec(svg)
  const fill = /fill="([^"]+)"/.exec(ground?.[0] ?? '')?.[1]
  if (!ground || !fill) throw new Error('The mark has no ground.')
  const shapes = svg.slice(svg.indexOf(ground[0]) + ground[0].length, svg.lastIndexOf('</svg>'))
  const isBadge = kind === 'badge'
  const scale = isBadge ? BADGE_SCALE : MASKABLE_SCALE
  const place = `translate(${SIDE / 2} ${SIDE / 2}) scale(${scale}) translate(${-MIDDLE.x} ${-MIDDLE.y})`
  const drawn = isBadge ? shapes.replace(/#[0-9a-f]{6}/gi, '#ffffff') : shapes
  const filled = isBadge ? '' : `<rect width="${SIDE}" height="${SIDE}" fill="${fill}"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}" viewBox="0 0 ${SIDE} ${SIDE}">${filled}<g transform="${place}">${drawn}</g></svg>`
}
