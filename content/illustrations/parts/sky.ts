import { n, type Point, smooth } from '../geometry.ts'
import { mix } from '../palette.ts'
import type { Stage } from '../stage.ts'
import { circle, ellipse, path, rect, stroke } from '../svg.ts'

type SkyChoice = { horizon: number; clouds?: boolean; sun?: boolean; birds?: boolean }

/** Sky, light and weather, down to slightly below the horizon. */
export function sky(s: Stage, { horizon, clouds = true, sun = true, birds = true }: SkyChoice): string {
  const { mood } = s
  const fill = s.linear([
    [0, mood.sky[0]],
    [0.55, mood.sky[1]],
    [1, mood.sky[2]],
  ])
  let out = rect(0, 0, s.w, horizon + 40, fill)
  if (mood.night) out += stars(s, horizon)
  if (sun) out += mood.night ? moon(s) : sunDisc(s)
  if (clouds) out += cloudBands(s, horizon)
  if (birds && !mood.night) out += flock(s)
  return out
}

function sunDisc(s: Stage): string {
  const { x, y, r } = s.sun
  const glow = s.radial([
    [0, s.mood.halo, 0.95],
    [0.4, s.mood.halo, 0.4],
    [1, s.mood.halo, 0],
  ])
  const rings = [3.1, 2.2, 1.5].map((k) => circle(x, y, r * k, s.mood.halo, 0.2)).join('')
  return circle(x, y, r * 7.5, glow) + rings + circle(x, y, r, s.mood.sun)
}

function moon(s: Stage): string {
  const { x, y } = s.sun
  const r = s.sun.r * 0.62
  const glow = s.radial([
    [0, s.mood.halo, 0.6],
    [1, s.mood.halo, 0],
  ])
  return (
    circle(x, y, r * 7, glow) +
    circle(x, y, r * 2, s.mood.halo, 0.14) +
    circle(x, y, r, s.mood.sun) +
    ellipse(x - r * 0.3, y - r * 0.15, r * 0.22, r * 0.17, s.mood.halo, 0.3) +
    ellipse(x + r * 0.25, y + r * 0.3, r * 0.3, r * 0.2, s.mood.halo, 0.25)
  )
}

function stars(s: Stage, horizon: number): string {
  const r = s.random('stars')
  let small = ''
  let large = ''
  for (let i = 0; i < 90; i++) {
    const d = `M${n(r.next() * s.w)} ${n(r.next() ** 1.5 * horizon * 0.9)}h.01`
    if (r.chance(0.22)) large += d
    else small += d
  }
  return stroke(small, s.mood.sun, 2.6, 0.5) + stroke(large, s.mood.sun, 4.6, 0.75)
}

/** Long flat clouds, lit from below near the sun, as in a screen print. */
function cloudBands(s: Stage, horizon: number): string {
  const r = s.random('clouds')
  const count = r.int(3, 6)
  let out = ''
  for (let i = 0; i < count; i++) {
    const y = horizon * r.range(0.1, 0.82)
    const width = r.range(240, 640) * (0.6 + y / horizon)
    const x = r.range(-0.1, 1.02) * s.w - width / 2
    const high = 1 - y / horizon
    const colour = mix(s.mood.sky[2], s.mood.night ? s.mood.sky[1] : s.mood.sun, high * 0.5)
    out += path(cloud(r.range(0, 9), x, y, width, r.range(14, 34)), colour, s.mood.night ? 0.35 : 0.62)
    if (r.chance(0.7)) {
      const dx = r.range(-0.25, 0.35) * width
      out += path(
        cloud(r.range(0, 9), x + dx, y + r.range(12, 24), width * 0.6, 12),
        mix(colour, s.mood.halo, 0.5),
        0.6,
      )
    }
  }
  return out
}

function cloud(phase: number, x: number, y: number, width: number, height: number): string {
  const top: Point[] = []
  const steps = 7
  for (let i = 0; i <= steps; i++) {
    const t = i / steps
    const bump = Math.sin(t * Math.PI) ** 0.7 * (0.62 + 0.38 * Math.sin(phase + i * 2.1))
    top.push([x + t * width, y - height * bump])
  }
  const bottom: Point[] = [
    [x + width * 0.8, y + height * 0.22],
    [x + width * 0.45, y + height * 0.16],
    [x + width * 0.15, y + height * 0.24],
  ]
  return smooth([...top, ...bottom], true)
}

function flock(s: Stage): string {
  const r = s.random('birds')
  if (r.chance(0.4)) return ''
  const x0 = s.w * r.range(0.12, 0.85)
  const y0 = s.h * r.range(0.09, 0.24)
  let d = ''
  const count = r.int(3, 7)
  for (let i = 0; i < count; i++) {
    const x = x0 + r.range(-110, 110)
    const y = y0 + r.range(-38, 38)
    const k = r.range(8, 15)
    d += `M${n(x - k)} ${n(y - k * 0.35)}Q${n(x - k * 0.4)} ${n(y - k * 0.5)} ${n(x)} ${n(y)}Q${n(x + k * 0.4)} ${n(y - k * 0.6)} ${n(x + k)} ${n(y - k * 0.45)}`
  }
  return stroke(d, mix(s.mood.ink, s.mood.sky[0], 0.25), 3.4, 0.8)
}
