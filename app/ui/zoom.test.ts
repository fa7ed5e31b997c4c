import { describe, expect, it } from 'vitest'
import { MAX_SCALE, NO_ZOOM, panBy, zoomAt } from './zoom.ts'

const FRAME = { width: 400, height: 300 }

describe('zooming a picture', () => {
  it('keeps the part under the fingers in its place', () => {
    // 100 px right of the middle: after twice the size that part would be 200 px away.
    expect(zoomAt(NO_ZOOM, 2, { x: 100, y: -50 }, FRAME)).toEqual({ scale: 2, x: -100, y: 50 })
    const zoomed = zoomAt(NO_ZOOM, 2, { x: 100, y: -50 }, FRAME)
    expect(zoomAt(zoomed, 1, { x: 100, y: -50 }, FRAME)).toEqual(NO_ZOOM)
  })

  it('stays between the whole picture and four times its size', () => {
    expect(zoomAt(NO_ZOOM, 0.3, { x: 0, y: 0 }, FRAME)).toEqual(NO_ZOOM)
    expect(zoomAt(NO_ZOOM, 9, { x: 0, y: 0 }, FRAME).scale).toBe(MAX_SCALE)
  })

  it('never brings an edge of the picture into the frame', () => {
    const zoomed = zoomAt(NO_ZOOM, 2, { x: 0, y: 0 }, FRAME)
    expect(panBy(zoomed, { x: 900, y: -900 }, FRAME)).toEqual({ scale: 2, x: 200, y: -150 })
    expect(panBy(NO_ZOOM, { x: 30, y: 30 }, FRAME)).toEqual(NO_ZOOM)
  })
})
