import { blob, n, type Point, smooth } from '../geometry.ts'
import { HAIR, mix, PAINT, SKIN } from '../palette.ts'
import { flower, garland, posyColours } from '../parts/flowers.ts'
import { view } from '../parts/room.ts'
import { leaf } from '../parts/trees.ts'
import type { Composition } from '../stage.ts'
import { circle, ellipse, group, path, rect, stroke } from '../svg.ts'

/** Strands that follow the shape of the hair. */
function strands(from: readonly Point[], to: Point, bend: number): string {
  return from
    .map(
      ([x, y]) =>
        `M${n(x)} ${n(y)}Q${n((x + to[0]) / 2 + bend * (x - to[0]))} ${n((y + to[1]) / 2)} ${n(to[0])} ${n(to[1])}`,
    )
    .join('')
}

export const braid: Composition = {
  moods: ['golden', 'rose', 'morning', 'sage', 'dusk', 'wattle', 'coastal'],
  draw: (s) => {
    const r = s.random('braid')
    const u = s.u
    const x = s.cx
    s.sun.x = x + s.side * 330 * u
    s.sun.r *= 1.4
    let out = view(s, s.h * 0.66, r.int(0, 2))
    const hair = r.pick(HAIR)
    const skinPaint = r.pick(SKIN)
    const tone = s.tone(hair)
    const dark = s.dim(hair, 0.4)
    const pale = mix(s.lit(hair, 0.4), s.mood.halo, 0.12)
    const top = s.h * 0.14
    const k = ((s.h - top) / 770) * Math.min(1, s.w / 900)
    const X = (v: number) => x + v * k
    const Y = (v: number) => top + v * k
    const style = r.int(0, 2)
    const gown = r.pick([PAINT.cream, PAINT.blush, PAINT.waratah, PAINT.eucalypt, PAINT.wattle, PAINT.teal])
    // back and shoulders
    const back = `M${n(X(-62))} ${n(Y(300))}C${n(X(-60))} ${n(Y(390))} ${n(X(-150))} ${n(Y(400))} ${n(X(-265))} ${n(Y(445))}C${n(X(-350))} ${n(Y(480))} ${n(X(-360))} ${n(Y(640))} ${n(X(-372))} ${n(s.h + 20)}H${n(X(372))}C${n(X(360))} ${n(Y(640))} ${n(X(350))} ${n(Y(480))} ${n(X(265))} ${n(Y(445))}C${n(X(150))} ${n(Y(400))} ${n(X(60))} ${n(Y(390))} ${n(X(62))} ${n(Y(300))}Z`
    out += path(back, s.tone(skinPaint))
    out += s.clip(
      back,
      path(
        `M${n(X(-s.side * 30))} ${n(Y(280))}C${n(X(-s.side * 20))} ${n(Y(450))} ${n(X(-s.side * 150))} ${n(Y(520))} ${n(X(-s.side * 160))} ${n(s.h + 40)}H${n(X(-s.side * 500))}V${n(Y(280))}Z`,
        s.dim(skinPaint, 0.34),
        0.55,
      ) +
        stroke(
          `M${n(X(0))} ${n(Y(470))}Q${n(X(s.side * 8))} ${n(Y(600))} ${n(X(0))} ${n(s.h + 20)}`,
          s.dim(skinPaint, 0.4),
          5,
          0.5,
        ),
    )
    // dress with a low back
    out += path(
      `M${n(X(-390))} ${n(s.h + 30)}L${n(X(-330))} ${n(Y(560))}C${n(X(-300))} ${n(Y(500))} ${n(X(-262))} ${n(Y(470))} ${n(X(-240))} ${n(Y(436))}L${n(X(-205))} ${n(Y(424))}C${n(X(-220))} ${n(Y(600))} ${n(X(-120))} ${n(Y(740))} ${n(X(0))} ${n(Y(790))}C${n(X(120))} ${n(Y(740))} ${n(X(220))} ${n(Y(600))} ${n(X(205))} ${n(Y(424))}L${n(X(240))} ${n(Y(436))}C${n(X(262))} ${n(Y(470))} ${n(X(300))} ${n(Y(500))} ${n(X(330))} ${n(Y(560))}L${n(X(390))} ${n(s.h + 30)}Z`,
      s.tone(gown),
    )
    out += path(
      `M${n(X(-s.side * 390))} ${n(s.h + 30)}L${n(X(-s.side * 330))} ${n(Y(560))}C${n(X(-s.side * 300))} ${n(Y(500))} ${n(X(-s.side * 262))} ${n(Y(470))} ${n(X(-s.side * 240))} ${n(Y(436))}L${n(X(-s.side * 205))} ${n(Y(424))}C${n(X(-s.side * 220))} ${n(Y(600))} ${n(X(-s.side * 120))} ${n(Y(740))} ${n(X(0))} ${n(Y(790))}V${n(s.h + 30)}Z`,
      s.mood.ink,
      0.17,
    )
    // ears, then the head of hair
    for (const e of [-1, 1])
      out +=
        ellipse(X(e * 128), Y(210), 20 * k, 34 * k, s.dim(skinPaint, 0.1)) +
        circle(X(e * 132), Y(250), 8 * k, s.lit(PAINT.wattle, 0.3))
    const head = smooth(
      [
        [X(0), Y(0)],
        [X(92), Y(32)],
        [X(140), Y(124)],
        [X(126), Y(240)],
        [X(64), Y(330)],
        [X(0), Y(352)],
        [X(-64), Y(330)],
        [X(-126), Y(240)],
        [X(-140), Y(124)],
        [X(-92), Y(32)],
      ],
      true,
    )
    const gather: Point = [X(0), Y(style === 1 ? 258 : 318)]
    const rim: Point[] = Array.from({ length: 21 }, (_, i) => {
      const a = Math.PI * (0.86 + (i / 20) * 1.28)
      return [X(Math.cos(a) * 138), Y(165 + Math.sin(a) * 162)]
    })
    const waves: Point[] = [
      [X(-132), Y(130)],
      [X(-186), Y(330)],
      [X(-150), Y(470)],
      [X(-172), Y(620)],
      [X(-60), Y(690)],
      [X(0), Y(660)],
      [X(64), Y(696)],
      [X(176), Y(612)],
      [X(150), Y(470)],
      [X(188), Y(330)],
      [X(132), Y(130)],
      [X(0), Y(40)],
    ]
    if (style === 2) {
      const d = smooth(waves, true)
      let flow = ''
      for (let i = -9; i <= 9; i++)
        flow += `M${n(X(i * 8))} ${n(Y(60))}C${n(X(i * 20))} ${n(Y(240))} ${n(X(i * 13))} ${n(Y(380))} ${n(X(i * 18))} ${n(Y(480))}S${n(X(i * 13 + 12))} ${n(Y(600))} ${n(X(i * 14))} ${n(Y(690))}`
      out +=
        path(d, tone) +
        s.clip(
          d,
          stroke(flow, dark, 5 * k, 0.32) +
            group(`translate(${n(6 * k)} 0)`, stroke(flow, pale, 2.4 * k, 0.28)),
        )
    }
    out += path(head, tone)
    out += s.clip(
      head,
      rect(s.side > 0 ? X(-160) : X(30), Y(-20), 130 * k, 420 * k, dark, 0, 0.35) +
        stroke(strands(rim, gather, 0.32), dark, 5 * k, 0.4) +
        group(
          `translate(${n(5 * k)} ${n(3 * k)})`,
          stroke(
            strands(
              rim.filter((_, i) => i % 2 === 0),
              gather,
              0.32,
            ),
            pale,
            2.6 * k,
            0.4,
          ),
        ),
    )
    const colours = posyColours(r)
    if (style === 0) {
      // a long plait, lobe over lobe
      const count = 9
      for (let i = 0; i < count; i++) {
        const t = i / count
        const y = Y(310 + 44 * i)
        const wide = 74 * (1 - 0.55 * t) * k
        const side = i % 2 ? 1 : -1
        const sway = Math.sin(i * 0.7) * 9 * k
        const lobe = `M${n(x + sway - side * wide * 0.5)} ${n(y - 20 * k)}C${n(x + sway + side * wide * 0.4)} ${n(y - 36 * k)} ${n(x + sway + side * wide * 1.15)} ${n(y)} ${n(x + sway + side * wide * 0.5)} ${n(y + 46 * k)}C${n(x + sway + side * wide * 0.1)} ${n(y + 72 * k)} ${n(x + sway - side * wide * 0.35)} ${n(y + 66 * k)} ${n(x + sway - side * wide * 0.15)} ${n(y + 36 * k)}C${n(x + sway)} ${n(y + 10 * k)} ${n(x + sway - side * wide * 0.3)} ${n(y)} ${n(x + sway - side * wide * 0.5)} ${n(y - 20 * k)}Z`
        let hairs = ''
        for (let j = 0; j < 4; j++)
          hairs += `M${n(x + sway - side * wide * 0.3)} ${n(y - (14 - j * 5) * k)}Q${n(x + sway + side * wide * (0.8 - j * 0.17))} ${n(y - (8 - j * 10) * k)} ${n(x + sway + side * wide * (0.34 - j * 0.1))} ${n(y + 48 * k)}`
        out +=
          path(lobe, side === s.side ? tone : mix(tone, dark, 0.45)) +
          s.clip(
            lobe,
            stroke(hairs, dark, 4 * k, 0.6) +
              group(`translate(${n(3 * k)} ${n(3 * k)})`, stroke(hairs, pale, 2.2 * k, 0.7)),
          )
      }
      out +=
        stroke(
          `M${n(X(-26))} ${n(Y(712))}q${n(26 * k)} ${n(12 * k)} ${n(52 * k)} 0`,
          s.tone(colours[0] ?? PAINT.waratah),
          14 * k,
        ) + path(leaf(x, Y(712), 90 * k, Math.PI / 2, 22 * k, 0.15), tone)
      for (let i = 0; i < 9; i++) {
        const fx = X(r.range(-46, 46) * (1 - i * 0.05))
        const fy = Y(120 + i * 68)
        out +=
          path(
            leaf(fx, fy, 52 * k, r.range(0, 6.3), 11 * k) + leaf(fx, fy, 44 * k, r.range(0, 6.3), 10 * k),
            s.tone(PAINT.gum),
          ) +
          flower(
            s,
            r,
            fx,
            fy,
            r.range(17, 31) * k,
            colours[i % 3] ?? PAINT.cream,
            r.pick(['rose', 'daisy', 'wattle', 'poppy']),
          )
      }
    } else if (style === 1) {
      // a low knot ringed with flowers
      const bun = blob(r, X(0), Y(286), 96 * k, 84 * k, 0.05, 10)
      let coil = ''
      for (let i = 0; i < 5; i++)
        coil += `M${n(X(-84 + i * 16))} ${n(Y(290 + i * 2))}A${n((84 - i * 16) * k)} ${n((72 - i * 13) * k)} ${n(i * 24)} 1 1 ${n(X(70 - i * 10))} ${n(Y(318 - i * 6))}`
      out +=
        path(bun, mix(tone, dark, 0.2)) +
        s.clip(
          bun,
          stroke(coil, dark, 7 * k, 0.6) +
            group(`translate(${n(s.side * 5)} 3)`, stroke(coil, pale, 3 * k, 0.7)),
        )
      const crown = Array.from({ length: 11 }, (_, i) => {
        const a = Math.PI * (0.98 + (i / 10) * 1.04)
        return [X(Math.cos(a) * 112), Y(276 + Math.sin(a) * 100)] as const
      })
      out += garland(s, r, crown, 52 * k, 0.9, colours)
      let loose = ''
      for (const e of [-1, 1])
        loose += `M${n(X(e * 118))} ${n(Y(250))}q${n(e * 26 * k)} ${n(70 * k)} ${n(-e * 4 * k)} ${n(120 * k)}`
      out += stroke(loose, tone, 6 * k)
    } else {
      const crown = Array.from({ length: 15 }, (_, i) => {
        const t = i / 14
        return [X(-138 + 276 * t), Y(118 + Math.sin(t * Math.PI) * 40)] as const
      })
      out += garland(s, r, crown, 56 * k, 0.95, colours)
    }
    return out
  },
}
