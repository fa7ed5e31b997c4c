import { blob, n, type Point, polygon, smooth } from '../geometry.ts'
import { BRIGHTS, HAIR, mix, PAINT } from '../palette.ts'
import { cinemaCamera, drone, smallPicture } from '../parts/cameras.ts'
import { vase } from '../parts/flowers.ts'
import { castShadow, ground, hill, lightPool, ranges, water } from '../parts/land.ts'
import { festoon } from '../parts/lights.ts'
import { couple } from '../parts/people.ts'
import { ledge, ledgeShadow, view } from '../parts/room.ts'
import { sky } from '../parts/sky.ts'
import { foreGrass, gumBranch, gumTree, norfolkPine, roundTree } from '../parts/trees.ts'
import type { Composition } from '../stage.ts'
import { circle, ellipse, group, line, path, place, rect, ring, stroke } from '../svg.ts'

const cameraField: Composition = {
  moods: ['golden', 'dusk', 'ember', 'rose', 'coastal', 'wattle'],
  draw: (s) => {
    const r = s.random('cine')
    const u = s.u
    const horizon = s.h * 0.58
    s.sun.x = s.cx + s.side * 270 * u
    s.sun.y = horizon - r.range(40, 160)
    s.sun.r *= 1.3
    const coast = r.chance(0.5)
    let out = sky(s, { horizon })
    out += coast
      ? hill(s, {
          name: 'f',
          base: horizon,
          rise: 90,
          colour: s.mood.land[0],
          bottom: horizon + 20,
          length: 1200,
        }) +
        water(s, horizon, s.h * 0.8) +
        ground(s, s.h * 0.74, mix(s.tone(PAINT.sand), s.mood.ground, 0.5), false)
      : ranges(s, horizon, 170) + ground(s, horizon)
    const cx = s.cx + s.side * 330 * u
    out += castShadow(s, cx, s.h * 0.82, 70, 380) + couple(s, r, cx, s.h * 0.82, 220 * u, 0.35)
    if (!coast) out += gumTree(s, r, s.cx + s.side * 520 * u, s.h * 0.7, 560 * u, 0.1)
    const x = s.cx - s.side * 190 * u
    const y = s.h * 0.62
    const dark = s.dim(PAINT.ink, 0.4)
    for (const k of [-1, 0.15, 1])
      out +=
        line(
          [
            [x, y],
            [x + k * 190 * u, s.h + 20],
          ],
          dark,
          17 * u,
        ) +
        line(
          [
            [x + k * 8, y + 40],
            [x + k * 190 * u * 0.9, s.h - 20],
          ],
          s.mood.halo,
          2.5,
          0.35,
        )
    out +=
      rect(x - 60 * u, y - 16 * u, 120 * u, 46 * u, dark, 10) +
      line(
        [
          [x - s.side * 40 * u, y + 10],
          [x - s.side * 300 * u, y + 110 * u],
        ],
        dark,
        13 * u,
      )
    out += place(
      x,
      y,
      1.14 * u,
      cinemaCamera(s, s.tone(r.pick([PAINT.waratah, PAINT.wattle, PAINT.coral]))),
      -s.side * r.range(0, 3),
      s.side < 0,
    )
    return out + foreGrass(s, r, 170) + (coast ? '' : gumBranch(s, r, -s.side as -1 | 1, 0.85))
  },
}

const droneCoast: Composition = {
  moods: ['sage', 'golden', 'coastal', 'rose', 'morning'],
  draw: (s) => {
    const r = s.random('drone')
    const u = s.u
    // from straight above: sea on one side, then sand and scrub
    const sand = mix(s.tone(PAINT.sand), s.mood.sun, 0.25)
    let out = rect(
      0,
      0,
      s.w,
      s.h,
      s.linear([
        [0, mix(s.mood.water, s.tone(PAINT.teal), 0.55)],
        [1, mix(s.mood.water, s.mood.ink, 0.35)],
      ]),
    )
    const shore = (base: number, wave: number, phase: number): string => {
      const pts: Point[] = []
      for (let i = -1; i <= 13; i++) {
        const t = i / 12
        pts.push([
          t * s.w,
          base +
            Math.sin(t * 5 + phase) * wave +
            Math.sin(t * 11 + phase * 2) * wave * 0.3 -
            (t - 0.5) * s.h * 0.34,
        ])
      }
      return `${smooth(pts)}L${n(s.w * 1.1)} ${n(s.h * 1.4)}L${n(-s.w * 0.1)} ${n(s.h * 1.4)}Z`
    }
    const phase = r.range(0, 6)
    const base = s.h * r.range(0.5, 0.6)
    const foam = s.lit(PAINT.cream, 0.6)
    out +=
      path(shore(base - 150, 30, phase), mix(s.mood.water, s.tone(PAINT.leaf), 0.45), 0.8) +
      path(shore(base - 104, 34, phase + 0.4), foam, 0.28) +
      path(shore(base - 82, 34, phase + 0.4), mix(s.mood.water, s.tone(PAINT.leaf), 0.7)) +
      path(shore(base - 46, 40, phase + 0.9), foam, 0.5) +
      path(shore(base - 30, 40, phase + 0.9), mix(s.tone(PAINT.leaf), s.mood.sun, 0.3)) +
      path(shore(base - 6, 36, phase + 0.6), foam, 0.85) +
      path(shore(base + 14, 36, phase + 0.55), mix(sand, s.mood.ink, 0.14)) +
      path(shore(base + 46, 34, phase + 0.5), sand)
    let flecks = ''
    for (let i = 0; i < 60; i++) {
      const x = r.next() * s.w
      flecks += `M${n(x)} ${n(r.next() * base * 0.7)}q14 -6 28 0`
    }
    out += stroke(flecks, s.mood.glint, 3.4, 0.5)
    let dots = ''
    for (let i = 0; i < 300; i++) dots += `M${n(r.next() * s.w)} ${n(s.h * (0.66 + 0.34 * r.next()))}h.01`
    out += stroke(dots, mix(sand, s.mood.ink, 0.4), 3, 0.35)
    // scrub, towels, umbrellas
    for (let i = 0; i < s.w / 42; i++) {
      const x = i * 44
      const y = s.h * 1.03 - (x / s.w - 0.5) * s.h * 0.22 + r.range(-20, 50)
      const k = r.range(46, 92)
      out +=
        path(blob(r, x - s.side * 22, y + 16, k, k * 0.9, 0.12, 8), s.mood.shadow, 0.25) +
        path(blob(r, x, y, k, k * 0.86, 0.14, 9), s.dim(PAINT.eucalypt, r.range(0, 0.3))) +
        path(blob(r, x + s.side * k * 0.2, y - k * 0.2, k * 0.5, k * 0.42, 0.16, 8), s.tone(PAINT.gum))
    }
    for (let i = 0; i < 7; i++) {
      const x = s.w * (0.1 + 0.13 * i) + r.range(-20, 20)
      const y = base + 120 - (x / s.w - 0.5) * s.h * 0.34 + r.range(0, 70)
      const k = 46 * u
      if (Math.abs(x - (s.cx - s.side * 40)) < 150 * u) continue
      if (i % 2) {
        out += ellipse(x - s.side * 52, y + 30, k, k * 0.9, s.mood.shadow, 0.3)
        const c = r.pick(BRIGHTS)
        for (let j = 0; j < 8; j++)
          out += path(
            polygon([
              [x, y],
              [x + Math.cos(j * 0.785) * k, y + Math.sin(j * 0.785) * k],
              [x + Math.cos(j * 0.785 + 0.785) * k, y + Math.sin(j * 0.785 + 0.785) * k],
            ]),
            s.tone(j % 2 ? PAINT.cream : c),
          )
        out += circle(x, y, 5, s.mood.ink)
      } else
        out += group(
          `translate(${n(x)} ${n(y)}) rotate(${n(r.range(-30, 30))})`,
          rect(-22 * u, -40 * u, 44 * u, 80 * u, s.tone(r.pick(BRIGHTS)), 4) +
            rect(-22 * u, -10 * u, 44 * u, 16 * u, s.tone(PAINT.cream)),
        )
    }
    // a ring of petals and two people, from above
    const hx = s.cx - s.side * 40
    const hy = base + 96 - (hx / s.w - 0.5) * s.h * 0.34
    for (let i = 0; i < 30; i++)
      out += path(
        blob(r, hx + Math.cos(i * 0.21) * 96 * u, hy + 60 + Math.sin(i * 0.21) * 80 * u, 7, 5, 0.2, 5),
        s.tone(i % 2 ? PAINT.waratah : PAINT.cream),
      )
    for (const k of [-1, 1])
      out +=
        path(
          polygon([
            [hx + k * 17 * u, hy + 60],
            [hx + k * 17 * u - s.side * 110 * u, hy + 104 * u],
            [hx + k * 17 * u - s.side * 96 * u, hy + 132 * u],
          ]),
          s.mood.shadow,
          0.35,
        ) +
        ellipse(hx + k * 17 * u, hy + 60, 21 * u, 15 * u, s.tone(k > 0 ? PAINT.cream : PAINT.ink)) +
        circle(hx + k * 17 * u, hy + 58, 10 * u, s.tone(k > 0 ? PAINT.walnut : PAINT.timber))
    const x = s.cx + s.side * 130 * u
    const y = s.h * 0.31
    out +=
      group(
        `translate(${n(s.side * 150 * u)} ${n(330 * u)})`,
        `<g opacity="0.26">${drone(s, x, y, 120 * u, true)}</g>`,
      ) + drone(s, x, y, 190 * u, false)
    return out
  },
}

const projector: Composition = {
  moods: ['night', 'dusk', 'night', 'ember'],
  draw: (s) => {
    const r = s.random('screen')
    const u = s.u
    const horizon = s.h * 0.58
    let out = sky(s, { horizon }) + ranges(s, horizon, 130) + ground(s, horizon)
    for (const k of [-1, 1])
      out += r.chance(0.5)
        ? gumTree(s, r, s.cx + k * 480 * u, s.h * 0.74, 720 * u)
        : roundTree(s, r, s.cx + k * 500 * u, s.h * 0.74, 660 * u, r.pick([PAINT.gum, PAINT.mauve]))
    const w = 620 * u
    const h = 360 * u
    const y = s.h * 0.4
    const x = s.cx
    const px = x - s.side * 330 * u
    const py = s.h * 0.86
    out += path(
      polygon([
        [px, py],
        [x - w / 2, y - h / 2],
        [x + w / 2, y - h / 2],
        [x + w / 2, y + h / 2],
        [x - w / 2, y + h / 2],
      ]),
      s.mood.sun,
      0.13,
    )
    out +=
      rect(x - w / 2 - 12, y - h / 2 - 12, w + 24, h + 24, s.dim(PAINT.walnut, 0.3), 4) +
      rect(x - w / 2, y - h / 2, w, h, s.lit(PAINT.cream, 0.5)) +
      group(
        `translate(${n(x)} ${n(y)})`,
        smallPicture({ ...s, tone: (c, d) => mix(s.tone(c, d), '#FFF3D6', 0.2) }, r, w * 0.97, h * 0.95),
      )
    for (const k of [-1, 1])
      out += line(
        [
          [x + k * (w / 2 + 6), y - h / 2 - 20],
          [x + k * (w / 2 + 6), s.h * 0.8],
        ],
        s.dim(PAINT.walnut, 0.3),
        10,
      )
    out += lightPool(s, x, s.h * 0.8, w * 0.7, 70, 0.8)
    out +=
      festoon(s, [-20, s.h * 0.1], [x - w / 2, y - h / 2 - 20], 50, 46, 9) +
      festoon(s, [x + w / 2, y - h / 2 - 20], [s.w + 20, s.h * 0.1], 50, 46, 9)
    for (let row = 0; row < 3; row++)
      for (let i = -4; i <= 4; i++) {
        const bx = x + i * (150 + row * 36) * u + (row % 2) * 60 + r.range(-16, 16)
        const by = s.h * (0.8 + row * 0.1)
        if (Math.abs(bx - px) < 90 * u && row > 0) continue
        const k = (150 + row * 46) * u
        const cloak = mix(s.tone(r.pick(BRIGHTS)), s.mood.ink, 0.62 + row * 0.1)
        const head = mix(s.tone(r.pick(HAIR)), s.mood.ink, 0.4 + row * 0.1)
        out += path(
          `M${n(bx - k * 0.46)} ${n(by + k)}Q${n(bx - k * 0.44)} ${n(by + k * 0.24)} ${n(bx - k * 0.1)} ${n(by + k * 0.16)}h${n(k * 0.2)}Q${n(bx + k * 0.44)} ${n(by + k * 0.24)} ${n(bx + k * 0.46)} ${n(by + k)}Z`,
          cloak,
        )
        out +=
          ellipse(bx, by, k * 0.17, k * 0.2, head) +
          (r.chance(0.35) ? circle(bx, by - k * 0.22, k * 0.09, head) : '') +
          (r.chance(0.35) ? rect(bx - k * 0.18, by - k * 0.02, k * 0.36, k * 0.34, head, k * 0.12) : '')
        out += stroke(
          `M${n(bx - k * 0.1)} ${n(by - k * 0.18)}Q${n(bx)} ${n(by - k * 0.235)} ${n(bx + k * 0.1)} ${n(by - k * 0.18)}`,
          s.mood.sun,
          4,
          0.5,
        )
      }
    out +=
      rect(px - 62 * u, py - 42 * u, 124 * u, 72 * u, s.dim('#39474A', 0.2), 10) +
      circle(px + s.side * 36 * u, py - 12 * u, 23 * u, s.mood.sun) +
      circle(px + s.side * 36 * u, py - 12 * u, 60 * u, s.mood.sun, 0.2) +
      rect(px - 90 * u, py + 30 * u, 180 * u, 120 * u, s.dim(PAINT.timber, 0.25), 4)
    return out
  },
}

const clapper: Composition = {
  moods: ['golden', 'rose', 'dusk', 'sage', 'ember', 'morning', 'wattle'],
  draw: (s) => {
    const r = s.random('clap')
    const u = s.u
    const y = s.h * 0.76
    const horizon = s.h * 0.56
    s.sun.x = s.cx + s.side * 260
    let out = view(s, horizon)
    out += r.chance(0.5)
      ? norfolkPine(s, r, s.cx + s.side * 450 * u, s.h * 0.74, 560 * u, 0.1)
      : gumTree(s, r, s.cx + s.side * 440 * u, s.h * 0.74, 580 * u, 0.1)
    out += ledge(s, y, 64, r.pick([PAINT.timber, PAINT.stone, PAINT.cream, PAINT.terracotta]))
    const x = s.cx - s.side * 40 * u
    const w = 420 * u
    const h = 270 * u
    const b = y + 40
    const slate = r.pick([PAINT.ink, PAINT.eucalypt, PAINT.waratah])
    out += ledgeShadow(s, x, b, w, 320)
    const stripes = (top: number): string => {
      let d = ''
      for (let i = -1; i < 7; i++)
        d += polygon([
          [-w / 2 + i * w * 0.17, top],
          [-w / 2 + i * w * 0.17 + w * 0.085, top],
          [-w / 2 + i * w * 0.17 + w * 0.035, top + 50 * u],
          [-w / 2 + i * w * 0.17 - w * 0.05, top + 50 * u],
        ])
      return d
    }
    const bar = `M${n(-w / 2)} 0h${n(w)}v${n(50 * u)}h${n(-w)}Z`
    out += group(
      `translate(${n(x)} ${n(b - h - 50 * u)})`,
      path(bar, s.tone(PAINT.ink)) + s.clip(bar, path(stripes(0), s.tone(PAINT.cream))),
    )
    out +=
      rect(x - w / 2, b - h, w, h, s.tone(slate), 6) +
      rect(s.side > 0 ? x - w / 2 : x, b - h, w / 2, h, s.mood.ink, 0, 0.16)
    const chalk = s.tone(PAINT.cream)
    out +=
      stroke(
        `M${n(x - w * 0.44)} ${n(b - h * 0.68)}h${n(w * 0.88)}M${n(x - w * 0.44)} ${n(b - h * 0.36)}h${n(w * 0.88)}M${n(x - w * 0.14)} ${n(b - h * 0.36)}v${n(h * 0.3)}M${n(x + w * 0.16)} ${n(b - h * 0.36)}v${n(h * 0.3)}`,
        chalk,
        3.4,
        0.7,
      ) +
      stroke(
        `M${n(x - w * 0.4)} ${n(b - h * 0.84)}h${n(w * 0.4)}M${n(x - w * 0.4)} ${n(b - h * 0.52)}h${n(w * 0.56)}`,
        chalk,
        9 * u,
        0.75,
      )
    out +=
      group(
        `translate(${n(x - w / 2)} ${n(b - h - 52 * u)}) rotate(${n(-r.range(14, 24))}) translate(${n(w / 2)} ${n(-50 * u)})`,
        path(bar, s.tone(PAINT.ink)) + s.clip(bar, path(stripes(0), s.tone(PAINT.cream))),
      ) + circle(x - w * 0.46, b - h - 28 * u, 13 * u, s.tone(PAINT.wattle))
    const rx = x + s.side * 370 * u
    const R = 132 * u
    out += ledgeShadow(s, rx, b + 8, R * 1.2, 260)
    let holes = ''
    const hub = b + 8 - R
    for (let i = 0; i < 5; i++)
      holes += `M${n(rx + Math.cos(i * 1.257 - 1.57) * R * 0.58)} ${n(hub + Math.sin(i * 1.257 - 1.57) * R * 0.58)}h.01`
    out +=
      circle(rx, hub, R, s.tone(PAINT.iron)) +
      ring(rx, hub, R * 0.93, s.lit(PAINT.iron, 0.6), 5) +
      stroke(holes, s.dim(PAINT.ink, 0.15), R * 0.42) +
      circle(rx, hub, R * 0.17, s.dim(PAINT.ink, 0.1)) +
      path(
        `M${n(rx)} ${n(hub - R)}A${n(R)} ${n(R)} 0 0 ${s.side > 0 ? 0 : 1} ${n(rx)} ${n(hub + R)}Z`,
        s.mood.ink,
        0.14,
      )
    out += stroke(
      `M${n(rx - s.side * R * 0.6)} ${n(b - 4)}c${n(-s.side * 90)} 50 ${n(-s.side * 120)} -10 ${n(-s.side * 220)} 44`,
      s.dim(PAINT.ink, 0.2),
      16 * u,
    )
    const vx = x - s.side * 350 * u
    out += ledgeShadow(s, vx, b, 70, 200) + vase(s, r, vx, b + 4, 290 * u)
    return out + gumBranch(s, r, s.side, 0.8)
  },
}

export const videographerScenes = {
  'video-camera-field': cameraField,
  'video-drone-coast': droneCoast,
  'video-garden-projector': projector,
  'video-clapper': clapper,
} as const
