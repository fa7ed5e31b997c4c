import { n, type Point } from './geometry.ts'

/** Markup of the few SVG elements that the pictures use. */
export function path(d: string, fill: string, opacity = 1): string {
  return `<path d="${d}" fill="${fill}"${opacity < 1 ? ` opacity="${n2(opacity)}"` : ''}/>`
}

/** A line with round caps and joins. */
export function stroke(d: string, colour: string, width: number, opacity = 1): string {
  return `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${n(width)}" stroke-linecap="round" stroke-linejoin="round"${opacity < 1 ? ` opacity="${n2(opacity)}"` : ''}/>`
}

export function line(points: readonly Point[], colour: string, width: number, opacity = 1): string {
  return stroke(`M${points.map(([x, y]) => `${n(x)} ${n(y)}`).join('L')}`, colour, width, opacity)
}

export function circle(x: number, y: number, radius: number, fill: string, opacity = 1): string {
  return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(Math.max(0, radius))}" fill="${fill}"${opacity < 1 ? ` opacity="${n2(opacity)}"` : ''}/>`
}

export function ellipse(x: number, y: number, rx: number, ry: number, fill: string, opacity = 1): string {
  return `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(Math.max(0, rx))}" ry="${n(Math.max(0, ry))}" fill="${fill}"${opacity < 1 ? ` opacity="${n2(opacity)}"` : ''}/>`
}

export function ring(
  x: number,
  y: number,
  radius: number,
  colour: string,
  width: number,
  opacity = 1,
): string {
  return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(Math.max(0, radius))}" fill="none" stroke="${colour}" stroke-width="${n(width)}"${opacity < 1 ? ` opacity="${n2(opacity)}"` : ''}/>`
}

export function rect(
  x: number,
  y: number,
  w: number,
  h: number,
  fill: string,
  radius = 0,
  opacity = 1,
): string {
  return `<rect x="${n(x)}" y="${n(y)}" width="${n(Math.max(0, w))}" height="${n(Math.max(0, h))}"${radius ? ` rx="${n(radius)}"` : ''} fill="${fill}"${opacity < 1 ? ` opacity="${n2(opacity)}"` : ''}/>`
}

export function group(transform: string, body: string, opacity = 1): string {
  return `<g${transform ? ` transform="${transform}"` : ''}${opacity < 1 ? ` opacity="${n2(opacity)}"` : ''}>${body}</g>`
}

/** Moves, scales and rotates a part that is drawn around its own origin. */
export function place(x: number, y: number, scale: number, body: string, turnDeg = 0, flip = false): string {
  return group(
    `translate(${n(x)} ${n(y)})${turnDeg ? ` rotate(${n(turnDeg)})` : ''} scale(${n2(flip ? -scale : scale)} ${n2(scale)})`,
    body,
  )
}

function n2(value: number): string {
  return String(Math.round(value * 1000) / 1000)
}
