/**
 * Rules for how the 12 most used mail programs alter the HTML part of a mail. Each rule names its programs. The facts come from
 * caniemail.com and the makers' own pages.
 */

export const PROGRAMS = [
  'Apple Mail on iPhone',
  'Apple Mail on Mac',
  'Gmail on the web',
  'Gmail on Android',
  'Gmail on iPhone',
  'Outlook on the web',
  'Outlook on Windows, with Word’s engine',
  'Outlook on phones',
  'Yahoo Mail',
  'Samsung Email',
  'Thunderbird',
  'Proton Mail',
] as const
type Program = (typeof PROGRAMS)[number]

const ALL = PROGRAMS
const GMAIL = ['Gmail on the web', 'Gmail on Android', 'Gmail on iPhone'] as const
const WORD = ['Outlook on Windows, with Word’s engine'] as const

type Element = {
  name: string
  attributes: Record<string, string>
  /** The inline styles by property. */
  styles: Record<string, string>
  parents: readonly Element[]
  text: string
}

export type ReadMail = { html: string; subject: string; elements: readonly Element[]; styleSheets: string }

export type MailRule = {
  name: string
  programs: readonly Program[]
  /** Returns what breaks the rule, one line for each place. */
  broken(mail: ReadMail): string[]
}

const VOID = new Set(['meta', 'img', 'br', 'hr', 'link', 'base', 'input'])

/** Reads the elements of a mail. React writes `<` and `>` only around tags, so that a pattern is enough. */
export function readMail(html: string, subject: string): ReadMail {
  const elements: Element[] = []
  const open: Element[] = []
  const plain = html.replaceAll(/<!--[\s\S]*?-->|<!doctype[^>]*>/gi, '')
  for (const [, slash, name = '', rest = '', text = ''] of plain.matchAll(
    /<(\/?)([a-z0-9]+)([^>]*)>([^<]*)/gi,
  )) {
    if (slash) {
      while (open.length > 0 && open.pop()?.name !== name) {
        // Closes what was left open, too.
      }
      const inside = open.at(-1)
      if (inside) inside.text += text
      continue
    }
    const attributes = Object.fromEntries(
      [...rest.matchAll(/([a-z-]+)(?:="([^"]*)")?/gi)].map(([, key = '', value = '']) => [
        key.toLowerCase(),
        decoded(value),
      ]),
    )
    const element = {
      name,
      attributes,
      styles: stylesOf(attributes.style ?? ''),
      parents: [...open],
      text: '',
    }
    elements.push(element)
    if (VOID.has(name) || rest.endsWith('/')) {
      const inside = open.at(-1)
      if (inside) inside.text += text
    } else {
      element.text = text
      open.push(element)
    }
  }
  const styleSheets = elements.flatMap((each) => (each.name === 'style' ? [each.text] : [])).join('')
  return { html, subject, elements, styleSheets: decoded(styleSheets) }
}

function decoded(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

function stylesOf(style: string): Record<string, string> {
  return Object.fromEntries(
    style.split(';').flatMap((each) => {
      const [property, ...value] = each.split(':')
      return property && value.length > 0 ? [[property.trim(), value.join(':').trim()]] : []
    }),
  )
}

const named = (mail: ReadMail, ...names: string[]) => mail.elements.filter(({ name }) => names.includes(name))

/** Properties that Word's engine ignores, where the mail would then be unreadable or out of place. */
const LOST_IN_WORD = [
  'display:flex',
  'display:grid',
  'display:inline-flex',
  'float',
  'position',
  'background-image',
  'transform',
]

/** Elements that one of the programs removes with all that is in them, or doesn't know. */
const REMOVED = [
  'script',
  'form',
  'input',
  'button',
  'select',
  'textarea',
  'iframe',
  'object',
  'embed',
  'video',
  'audio',
  'svg',
  'canvas',
  'link',
  'base',
  'dialog',
  'details',
]

const addresses = ({ elements }: ReadMail) =>
  elements.flatMap(({ name, attributes: { href, src } }) => [
    ...(href === undefined ? [] : [{ name, address: href }]),
    ...(src === undefined ? [] : [{ name, address: src }]),
  ])

export const MAIL_RULES: readonly MailRule[] = [
  {
    name: 'is below 102 kB, where Gmail cuts it off, and below 20 kB, to be quick on a phone',
    programs: GMAIL,
    broken: ({ html }) => {
      const kB = Buffer.byteLength(html) / 1024
      return kB < 20 ? [] : [`${kB.toFixed(1)} kB`]
    },
  },
  {
    name: 'has no element that programs remove',
    programs: ALL,
    broken: (mail) => named(mail, ...REMOVED).map(({ name }) => `<${name}>`),
  },
  {
    name: 'has no handlers of events and no addresses with scripts',
    programs: ALL,
    broken: (mail) => [
      ...mail.elements.flatMap(({ name, attributes }) =>
        Object.keys(attributes).flatMap((key) => (key.startsWith('on') ? [`${key} of <${name}>`] : [])),
      ),
      ...addresses(mail).flatMap(({ address }) =>
        /^\s*(javascript|data|vbscript):/i.test(address) ? [address] : [],
      ),
    ],
  },
  {
    name: 'names only whole https addresses, since it has no page to be relative to',
    programs: ALL,
    broken: (mail) =>
      addresses(mail).flatMap(({ name, address }) =>
        /^https:\/\/[a-z0-9.-]+\//.test(address) ? [] : [`<${name}> ${address}`],
      ),
  },
  {
    name: 'loads no style sheet or typeface from elsewhere',
    programs: ALL,
    broken: ({ styleSheets, html }) => [
      ...(`${styleSheets} ${html}`.match(/@import|@font-face|url\(/g) ?? []),
    ],
  },
  {
    name: 'has style sheets below 16 kB, beyond which Gmail drops them',
    programs: GMAIL,
    broken: ({ styleSheets }) => (Buffer.byteLength(styleSheets) < 16_384 ? [] : ['too long']),
  },
  {
    name: 'is laid out in tables for layout alone',
    programs: WORD,
    broken: (mail) => [
      ...(named(mail, 'table').length > 0 ? [] : ['no table']),
      ...named(mail, 'table').flatMap(({ attributes: { role } }) =>
        role === 'presentation' ? [] : ['a table without role="presentation"'],
      ),
    ],
  },
  {
    name: 'has no style that Word’s engine loses',
    programs: WORD,
    broken: (mail) =>
      mail.elements.flatMap(({ name, styles }) =>
        Object.entries(styles).flatMap(([property, value]) =>
          LOST_IN_WORD.some((lost) => lost === property || lost === `${property}:${value}`) ||
          /calc\(|var\(|url\(/.test(value)
            ? [`${property}: ${value} of <${name}>`]
            : [],
        ),
      ),
  },
  {
    name: 'carries its look inline, so that it is readable where style sheets are dropped',
    programs: ['Gmail on Android', 'Gmail on iPhone', 'Samsung Email', ...WORD],
    broken: (mail) =>
      named(mail, 'p', 'a', 'td').flatMap(({ name, text, styles, parents }) =>
        /[\p{L}\p{N}]/u.test(text) &&
        ![styles, ...parents.map((each) => each.styles)].some((each) => each['font-family'])
          ? [`<${name}> ${text}`]
          : [],
      ),
  },
  {
    name: 'is at most 600 px wide',
    programs: ALL,
    broken: (mail) =>
      mail.elements.flatMap(({ name, attributes, styles }) =>
        [attributes.width, styles.width, styles['max-width'], styles['min-width']].flatMap((width) =>
          width && /^\d+(?:px)?$/.test(width) && Number.parseInt(width, 10) > 600
            ? [`${width} of <${name}>`]
            : [],
        ),
      ),
  },
  {
    name: 'has a text, a width and a height for each picture, since most programs first show none',
    programs: [...WORD, 'Outlook on the web', 'Thunderbird', 'Proton Mail'],
    broken: (mail) =>
      named(mail, 'img').flatMap(({ attributes: { alt, width, height, src = '' } }) =>
        alt !== undefined && width && height ? [] : [src],
      ),
  },
  {
    name: 'has a name for each link beside its picture',
    programs: ALL,
    broken: (mail) =>
      named(mail, 'a').flatMap((link) => {
        const inside = mail.elements.filter(({ parents }) => parents.includes(link))
        const name = [link.text, ...inside.map(({ text, attributes }) => `${text}${attributes.alt ?? ''}`)]
          .join('')
          .trim()
        return name || link.attributes['aria-hidden'] === 'true' ? [] : [link.attributes.href ?? '']
      }),
  },
  {
    name: 'shows nothing as a background picture',
    programs: [...WORD, 'Gmail on the web'],
    broken: (mail) =>
      mail.elements.flatMap(({ name, attributes, styles }) =>
        attributes.background !== undefined || /url\(/.test(styles.background ?? '') ? [`<${name}>`] : [],
      ),
  },
  {
    name: 'declares both colour schemes, and has its own colours for the dark one',
    programs: [
      'Apple Mail on iPhone',
      'Apple Mail on Mac',
      'Outlook on the web',
      'Samsung Email',
      'Thunderbird',
    ],
    broken: (mail) => {
      const metas = named(mail, 'meta').map(({ attributes }) => `${attributes.name}=${attributes.content}`)
      return [
        ...['color-scheme=light dark', 'supported-color-schemes=light dark'].filter(
          (each) => !metas.includes(each),
        ),
        ...['prefers-color-scheme:dark', '[data-ogsc]', '[data-ogsb]'].filter(
          (each) => !mail.styleSheets.includes(each),
        ),
      ]
    },
  },
  {
    name: 'declares its language, its subject as its title, its charset and a phone’s width',
    programs: ALL,
    broken: (mail) => [
      ...(named(mail, 'html')[0]?.attributes.lang === 'en-AU' ? [] : ['language']),
      ...(named(mail, 'title').some(({ text }) => decoded(text) === mail.subject) ? [] : ['title']),
      ...(/charset=utf-8/i.test(mail.html) ? [] : ['charset']),
      ...(/name="viewport"/.test(mail.html) ? [] : ['viewport']),
      ...(mail.html.startsWith('<!doctype html>') ? [] : ['doctype']),
    ],
  },
  {
    name: 'has text of 13 px or more, since an iPhone enlarges smaller text',
    programs: ['Apple Mail on iPhone', 'Gmail on iPhone', 'Outlook on phones'],
    broken: (mail) =>
      mail.elements.flatMap(({ styles, text }) => {
        const size = Number.parseFloat(styles['font-size'] ?? '16')
        return text.trim() && size < 13 ? [`${size} px: ${text}`] : []
      }),
  },
  {
    name: 'has a button of 44 px or more for a thumb',
    programs: [
      'Apple Mail on iPhone',
      'Gmail on iPhone',
      'Gmail on Android',
      'Outlook on phones',
      'Samsung Email',
    ],
    broken: (mail) =>
      named(mail, 'a').flatMap(({ attributes, styles }) => {
        if (!attributes.class?.includes('m-action')) return []
        const height =
          Number.parseFloat(styles['font-size'] ?? '0') * 1.2 +
          Number.parseFloat(styles['padding-top'] ?? '0') +
          Number.parseFloat(styles['padding-bottom'] ?? '0')
        return height >= 44 ? [] : [`${height} px`]
      }),
  },
  ...(['light', 'dark'] as const).map(
    (theme): MailRule => ({
      name: `has a contrast of 4.5 or more for each text in the ${theme}`,
      programs: ALL,
      broken: (mail) => lowContrast(mail, theme),
    }),
  ),
]

function lowContrast({ elements, styleSheets }: ReadMail, theme: 'light' | 'dark'): string[] {
  const dark = /@media \(prefers-color-scheme:dark\)\{((?:[^{}]*\{[^{}]*\})*)\}/.exec(styleSheets)?.[1] ?? ''
  const inDark = (element: Element, property: string) =>
    (element.attributes.class ?? '')
      .split(' ')
      .map(
        (name) => new RegExp(`\\.${name}\\{[^}]*?(?<![a-z-])${property}:(#[0-9A-Fa-f]{6})`).exec(dark)?.[1],
      )
      .find(Boolean)
  const shownValue = (element: Element, property: string) =>
    (theme === 'dark' ? inDark(element, property) : undefined) ?? element.styles[property]
  return elements.flatMap((element) => {
    if (!/[\p{L}\p{N}]/u.test(element.text) || ['style', 'title'].includes(element.name)) return []
    const chain = [element, ...element.parents.toReversed()]
    if (chain.some(({ styles }) => styles.display === 'none')) return []
    const first = (property: string) => chain.map((each) => shownValue(each, property)).find(Boolean) ?? ''
    const [text, back] = [first('color'), first('background-color')]
    const contrast = contrastOf(text, back)
    return contrast >= 4.5 ? [] : [`${contrast.toFixed(1)}: ${text} on ${back}: ${element.text}`]
  })
}

/** WCAG's ratio of two colours as #RRGGBB. 0 for anything else. */
function contrastOf(one: string, other: string): number {
  if (![one, other].every((colour) => /^#[0-9a-f]{6}$/i.test(colour))) return 0
  const [light = 0, dim = 0] = [one, other].map(luminance).sort((a, b) => b - a)
  return (light + 0.05) / (dim + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
