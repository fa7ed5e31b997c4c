import { encode } from 'uqr'

// The standard's quiet zone, in modules.
const QUIET_ZONE = 4

/**
 * Draws a text as a QR code.
 * @returns one path of squares, each of one unit, on a canvas of `size` units that includes the quiet zone
 */
export function drawQrCode(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE })
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return { size, path: squares.join('') }
}
