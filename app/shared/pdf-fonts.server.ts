import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A weight of text in a document. Headings have the typeface of headings, if it has the letters. */
export type PdfFace = 'text' | 'bold' | 'heading'

type Family = {
  package: string
  /** The file of a part of the family, such as 'latin-ext'. */
  file: (part: string) => string
  axes: Record<PdfFace, Record<string, number>>
}

const WEIGHTS: Family['axes'] = { text: { wght: 400 }, bold: { wght: 700 }, heading: { wght: 700 } }

const sans = (script: string): Family => ({
  package: `@fontsource-variable/noto-sans${script}`,
  file: (part) => `noto-sans${script}-${part}-wght-normal.woff2`,
  axes: WEIGHTS,
})

const HEADINGS: Family = {
  package: '@fontsource-variable/fraunces',
  file: (part) => `fraunces-${part}-opsz-normal.woff2`,
  axes: {
    text: { wght: 400, opsz: 12 },
    bold: { wght: 700, opsz: 12 },
    heading: { wght: 600, opsz: 24 },
  },
}

const TEXT: Family = {
  package: '@fontsource-variable/figtree',
  file: (part) => `figtree-${part}-wght-normal.woff2`,
  axes: WEIGHTS,
}

// The first family that has a letter draws it. Chinese comes after the emoji, since its fonts have some of them too.
const OTHERS: readonly Family[] = [
  sans(''),
  ...[
    'arabic',
    'hebrew',
    'devanagari',
    'bengali',
    'tamil',
    'telugu',
    'gujarati',
    'gurmukhi',
    'kannada',
    'malayalam',
    'sinhala',
    'thai',
    'khmer',
    'lao',
    'myanmar',
    'georgian',
    'armenian',
    'ethiopic',
  ].map((script) => sans(`-${script}`)),
  {
    package: '@fontsource-variable/noto-emoji',
    file: (part) => `noto-emoji-${part}-wght-normal.woff2`,
    axes: WEIGHTS,
  },
  sans('-sc'),
  sans('-kr'),
]

/** A font file, with the code points that it has letters for. */
export type PdfFont = {
  path: string
  has: (codePoint: number) => boolean
  axes: Record<string, number>
}

const fontsOfFaces = new Map<PdfFace, readonly PdfFont[]>()

/** Returns the fonts of a face, in the order in which they are asked for a letter. */
export function listPdfFonts(face: PdfFace): readonly PdfFont[] {
  const known = fontsOfFaces.get(face)
  if (known) return known
  const families = face === 'heading' ? [HEADINGS, TEXT, ...OTHERS] : [TEXT, ...OTHERS]
  const fonts = families.flatMap((family) => fontsOf(family, face))
  fontsOfFaces.set(face, fonts)
  return fonts
}

function fontsOf(family: Family, face: PdfFace): PdfFont[] {
  const path = createRequire(import.meta.url).resolve(`${family.package}/unicode.json`)
  const parts = Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>)
  // Fontsource names the parts of large fonts '[115]', and lists Latin last.
  return parts.reverse().map(([part, ranges]) => ({
    path: join(dirname(path), 'files', family.file(part.replace(/[[\]]/g, ''))),
    has: createRangeTest(ranges),
    axes: family.axes[face],
  }))
}

/** @param ranges as in CSS: 'U+0000-00FF,U+0131,U+4??' */
function createRangeTest(ranges: string): PdfFont['has'] {
  const bounds = ranges.split(',').map((range) => {
    const [first = '', last = first] = range.trim().replace('U+', '').split('-')
    return [
      Number.parseInt(first.replaceAll('?', '0'), 16),
      Number.parseInt(last.replaceAll('?', 'F'), 16),
    ] as const
  })
  return (codePoint) => bounds.some(([first, last]) => codePoint >= first && codePoint <= last)
}
