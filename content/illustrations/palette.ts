/** A colour as '#RRGGBB'. */
export type Hex = `#${string}`

/** The local colours, as things look in neutral light. A mood's light is applied to them. */
export const PAINT = {
  cream: '#FBF3E4',
  paper: '#F6E9D3',
  sand: '#E6CDA4',
  waratah: '#B92B3A',
  coral: '#EF7F69',
  terracotta: '#C4643F',
  blush: '#F2C2B0',
  wattle: '#F2B632',
  straw: '#E3BE6E',
  eucalypt: '#2F5D50',
  gum: '#5E8A72',
  leaf: '#8FC9B4',
  olive: '#7C8450',
  teal: '#3F7480',
  sky: '#A9CBC8',
  mauve: '#A08CB4',
  timber: '#A87048',
  oak: '#C99A66',
  walnut: '#5F3D2D',
  stone: '#C9BFAE',
  iron: '#8C9A97',
  ink: '#1F2A2E',
} as const satisfies Record<string, Hex>

export const SKIN = ['#F1C9A8', '#DDA57F', '#B47850', '#7C4E36', '#533426'] as const
export const HAIR = ['#231A18', '#4A2D20', '#8A5330', '#C8924E', '#2B2322', '#6B3A28'] as const
export const BRIGHTS = ['#B92B3A', '#EF7F69', '#F2B632', '#2F5D50', '#3F7480', '#C4643F'] as const
export const FLORALS = ['#B92B3A', '#EF7F69', '#F2C2B0', '#FBF3E4', '#F2B632', '#C4643F', '#A08CB4'] as const

/** A kind of light, from which every colour of a picture is derived. */
export type Mood = {
  /** top, middle, low */
  sky: readonly [Hex, Hex, Hex]
  sun: Hex
  halo: Hex
  haze: Hex
  /** far to near */
  land: readonly [Hex, Hex, Hex, Hex, Hex]
  ground: Hex
  water: Hex
  glint: Hex
  ink: Hex
  /** what white becomes in this light */
  ambient: Hex
  shadow: Hex
  /** how strongly electric lights and candles show, 0 to 1 */
  lamps: number
  night: boolean
}

export type MoodName =
  | 'golden'
  | 'ember'
  | 'dusk'
  | 'night'
  | 'morning'
  | 'coastal'
  | 'sage'
  | 'rose'
  | 'wattle'

export const MOODS: Record<MoodName, Mood> = {
  golden: {
    sky: ['#7FABA0', '#EBD9AC', '#F7B863'],
    sun: '#FFF1C9',
    halo: '#FCD582',
    haze: '#F3C684',
    land: ['#D5AC77', '#A99664', '#6E8159', '#3D6451', '#22443D'],
    ground: '#BD9F5C',
    water: '#86AC9C',
    glint: '#FFE7AE',
    ink: '#1B3230',
    ambient: '#FFF0D6',
    shadow: '#3B3A2A',
    lamps: 0.6,
    night: false,
  },
  ember: {
    sky: ['#8E3038', '#DB6243', '#F8B652'],
    sun: '#FFE6AC',
    halo: '#FBC566',
    haze: '#EE9C58',
    land: ['#C65B43', '#9C433C', '#6D3338', '#43292F', '#271D23'],
    ground: '#A2553C',
    water: '#B55A49',
    glint: '#FFD58A',
    ink: '#251A20',
    ambient: '#FFDDBD',
    shadow: '#2E1A20',
    lamps: 0.8,
    night: false,
  },
  dusk: {
    sky: ['#1F454F', '#8A8580', '#F2AC7C'],
    sun: '#FFE3B8',
    halo: '#F6BC8A',
    haze: '#D69A80',
    land: ['#967F7A', '#62696B', '#3D565A', '#24414A', '#142A31'],
    ground: '#5E6660',
    water: '#4B747A',
    glint: '#FFC795',
    ink: '#10242B',
    ambient: '#E0C6BC',
    shadow: '#10242B',
    lamps: 1,
    night: false,
  },
  night: {
    sky: ['#0E1E24', '#1A3B42', '#46716A'],
    sun: '#FBF0D2',
    halo: '#86A594',
    haze: '#41706A',
    land: ['#2F5C5B', '#23494C', '#1A393E', '#132A30', '#0C1C21'],
    ground: '#2A4A48',
    water: '#214A51',
    glint: '#F5DFA6',
    ink: '#0A171B',
    ambient: '#C9BBA6',
    shadow: '#071215',
    lamps: 1,
    night: true,
  },
  morning: {
    sky: ['#B5D5D0', '#F5E8D6', '#FACDB0'],
    sun: '#FFF9EA',
    halo: '#FEE5C2',
    haze: '#F7DDC6',
    land: ['#DCC9B5', '#B4BBA1', '#84A18B', '#527C6B', '#2C5A4D'],
    ground: '#B3BA8B',
    water: '#A5C8C2',
    glint: '#FFF6E4',
    ink: '#24423D',
    ambient: '#FFF8EC',
    shadow: '#4A5A50',
    lamps: 0.25,
    night: false,
  },
  coastal: {
    sky: ['#93AFB3', '#C6D4CF', '#F0E7D5'],
    sun: '#FBF5E6',
    halo: '#F1EBDA',
    haze: '#DAE0D6',
    land: ['#ABB9B5', '#83999A', '#5B7A79', '#3A5F5E', '#234341'],
    ground: '#98A489',
    water: '#7C9FA1',
    glint: '#F1F1E6',
    ink: '#1D3637',
    ambient: '#F1F2EA',
    shadow: '#32484A',
    lamps: 0.4,
    night: false,
  },
  sage: {
    sky: ['#8FC0B4', '#D3E5CF', '#FAECC6'],
    sun: '#FFF5D3',
    halo: '#FCE9B5',
    haze: '#E6EBCB',
    land: ['#BCCEA8', '#94B48B', '#64936F', '#3A725F', '#204E44'],
    ground: '#97B47A',
    water: '#8CC0B6',
    glint: '#FDF6DC',
    ink: '#1C3F38',
    ambient: '#FFF9E9',
    shadow: '#2C4A3C',
    lamps: 0.25,
    night: false,
  },
  rose: {
    sky: ['#DE9488', '#F3C1A6', '#FCE4BF'],
    sun: '#FFF6E0',
    halo: '#FCDDB2',
    haze: '#F5CBAA',
    land: ['#D99F8C', '#B27C72', '#7F6C63', '#4A5C53', '#2A413D'],
    ground: '#C6966F',
    water: '#C99A8C',
    glint: '#FFEBC8',
    ink: '#2B3534',
    ambient: '#FFEEDD',
    shadow: '#4A3530',
    lamps: 0.5,
    night: false,
  },
  wattle: {
    sky: ['#EFAF2E', '#F6C85C', '#FCE6AE'],
    sun: '#FFFAE6',
    halo: '#FBE09A',
    haze: '#F6D37C',
    land: ['#D99B3E', '#AA8139', '#63754B', '#335C4D', '#1B403A'],
    ground: '#C2963F',
    water: '#7FA287',
    glint: '#FFF1C4',
    ink: '#17332F',
    ambient: '#FFF4D8',
    shadow: '#3A3418',
    lamps: 0.5,
    night: false,
  },
}

type Rgb = readonly [number, number, number]

function toRgb(hex: Hex): Rgb {
  const n = Number.parseInt(hex.slice(1), 16)
  return [(n >> 16) & 255, (n >> 8) & 255, n & 255]
}

function toHex([r, g, b]: Rgb): Hex {
  const part = (v: number) =>
    Math.max(0, Math.min(255, Math.round(v)))
      .toString(16)
      .padStart(2, '0')
  return `#${part(r)}${part(g)}${part(b)}`
}

/**
 * A colour between two; `t` 0 gives the first. Mixes the squares of the channels, so that the middle colours don't turn
 * muddy.
 */
export function mix(a: Hex, b: Hex, t: number): Hex {
  const p = toRgb(a)
  const q = toRgb(b)
  const k = Math.max(0, Math.min(1, t))
  const at = (i: 0 | 1 | 2) => Math.sqrt(p[i] * p[i] * (1 - k) + q[i] * q[i] * k)
  return toHex([at(0), at(1), at(2)])
}

/** A local colour under coloured light. */
export function underLight(colour: Hex, light: Hex): Hex {
  const p = toRgb(colour)
  const q = toRgb(light)
  return toHex([(p[0] * q[0]) / 255, (p[1] * q[1]) / 255, (p[2] * q[2]) / 255])
}
