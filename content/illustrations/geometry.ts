import type { Random } from './random.ts'

export type Point = readonly [number, number]

/** A coordinate as short text, to a tenth of a unit, which is finer than any screen shows. */
export function n(value: number): string {
  const r = Math.round(value * 10) / 10
  return Object.is(r, -0) ? '0' : String(r)
}

/** A smooth line through all points (Catmull-Rom as Béziers), since nothing here looks drawn with a ruler. */
export function smooth(points: readonly Point[], closed = false): string {
  const count = points.length
  const at = (i: number): Point => {
    const j = closed ? (i + count) % count : Math.max(0, Math.min(count - 1, i))
    return points[j] ?? [0, 0]
  }
  const first = at(0)
  let d = `M${n(first[0])} ${n(first[1])}`
  const last = closed ? count : count - 1
  for (let i = 0; i < last; i++) {
    const [p0, p1, p2, p3] = [at(i - 1), at(i), at(i + 1), at(i + 2)]
    d += `C${n(p1[0] + (p2[0] - p0[0]) / 6)} ${n(p1[1] + (p2[1] - p0[1]) / 6)} ${n(p2[0] - (p3[0] - p1[0]) / 6)} ${n(p2[1] - (p3[1] - p1[1]) / 6)} ${n(p2[0])} ${n(p2[1])}`
  }
  return closed ? `${d}Z` : d
}

export function polygon(points: readonly Point[]): string {
  return `M${points.map(([x, y]) => `${n(x)} ${n(y)}`).join('L')}Z`
}

/** A round shape with a hand-cut outline. */
export function blob(
  r: Random,
  cx: number,
  cy: number,
  rx: number,
  ry: number,
  jitter = 0.12,
  count = 9,
): string {
  const turn = r.range(0, Math.PI * 2)
  const points: Point[] = []
  for (let i = 0; i < count; i++) {
    const a = turn + (i / count) * Math.PI * 2
    const k = 1 + r.range(-jitter, jitter)
    points.push([cx + Math.cos(a) * rx * k, cy + Math.sin(a) * ry * k])
  }
  return smooth(points, true)
}

/** Returns the outline of a range of hills: its height at any x, never visibly repeating. */
export function ridge(r: Random, base: number, rise: number, length = 620): (x: number) => number {
  const waves = [1, 2.3, 4.9].map((f, i) => ({
    f: (f * r.range(0.8, 1.2) * Math.PI * 2) / length / 2,
    p: r.range(0, Math.PI * 2),
    a: [0.62, 0.27, 0.11][i] ?? 0,
  }))
  return (x) => base - rise * (0.5 + 0.5 * waves.reduce((sum, w) => sum + w.a * Math.sin(x * w.f + w.p), 0))
}

/**
 * One-point perspective on a ground plane: `x` is sideways, `up` above the ground, and `z` is 1 at the picture's bottom
 * edge.
 */
type Perspective = {
  at(x: number, up: number, z: number): Point
  quad(x0: number, x1: number, z0: number, z1: number, up?: number): string
}

export function perspective(vanish: Point, drop: number): Perspective {
  const at = (x: number, up: number, z: number): Point => [vanish[0] + x / z, vanish[1] + (drop - up) / z]
  return {
    at,
    quad: (x0, x1, z0, z1, up = 0) =>
      polygon([at(x0, up, z0), at(x1, up, z0), at(x1, up, z1), at(x0, up, z1)]),
  }
}
