/** A picture enlarged `scale` times and moved by `x` and `y` pixels from the middle of its frame. */
export type Zoom = { scale: number; x: number; y: number }

type Point = { x: number; y: number }
type Frame = { width: number; height: number }

export const NO_ZOOM: Zoom = { scale: 1, x: 0, y: 0 }
export const MAX_SCALE = 4
/** The scale after a double tap. */
export const TAP_SCALE = 2.5

/**
 * Enlarges a picture so that the part under a point stays there, unless an edge of the picture would come into the
 * frame.
 * @param point from the middle of the frame, in pixels
 */
export function zoomAt(zoom: Zoom, scale: number, point: Point, frame: Frame): Zoom {
  const within = Math.min(MAX_SCALE, Math.max(1, scale))
  const growth = within / zoom.scale
  return settle(
    {
      scale: within,
      x: point.x - (point.x - zoom.x) * growth,
      y: point.y - (point.y - zoom.y) * growth,
    },
    frame,
  )
}

/** Moves an enlarged picture within the limits of its edges. */
export function panBy(zoom: Zoom, by: Point, frame: Frame): Zoom {
  return settle({ ...zoom, x: zoom.x + by.x, y: zoom.y + by.y }, frame)
}

function settle({ scale, x, y }: Zoom, { width, height }: Frame): Zoom {
  const clamp = (value: number, side: number) => {
    const furthest = ((scale - 1) * side) / 2
    return Math.min(furthest, Math.max(-furthest, value)) || 0
  }
  return { scale, x: clamp(x, width), y: clamp(y, height) }
}
