/**
 * A check of `npm test`: the built client needs nothing that the oldest supported browsers lack (app/shared/baseline.ts).
 * es-check reads the syntax, regular expressions included, and the built-ins of the language. newer-features.json names the
 * parts of the platform that are newer, from MDN's data. A name that is used needs an entry here, which says how the
 * product does without it. A browser ignores a property of styles that it doesn't know, so those need none.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BASELINE } from '../app/shared/baseline.ts'

export type NewerFeatures = {
  source: string
  baseline: Record<string, string>
  /** Interfaces and members of interfaces. */
  members: Record<string, string>
  attributes: Record<string, string>
  selectors: Record<string, string>
  atRules: Record<string, string>
}

/** Built-ins of a later ECMAScript that all of the oldest browsers have. es-check allows a whole edition or none of it. */
const EARLY_BUILT_INS = ['StringIsWellFormed', 'StringToWellFormed']

/** Newer names in the scripts and styles, by what happens without the feature. */
const GUARDS: readonly (readonly [names: string, guard: string])[] = [
  [
    'popover popovertarget hidePopover showPopover newState :popover-open',
    'ui/popover.ts and base.css open the menus',
  ],
  [
    'command commandfor',
    'a button’s own handler opens the drawer once the page works; until then, nothing does',
  ],
  ['parseRequestOptionsFromJSON parseCreationOptionsFromJSON', 'without them, passkeys aren’t offered'],
  ['canGoBack', 'asked for by `?.`: the referrer decides'],
  ['canParse', 'zod asks whether it is a function'],
  ['captureStackTrace', 'zod and the analytics’ library ask whether it is there'],
  ['stackTraceLimit', 'zod sets a property that other browsers ignore'],
  [
    'fetchpriority fetchPriority imagesrcset imagesizes imageSizes blocking',
    'hints: the browser loads as it always has',
  ],
  ['autocapitalize capture', 'hints for keyboards and cameras'],
  [
    'ViewTransition startViewTransition skipTransition viewTransition :view-transition-group :view-transition-old :view-transition-new',
    'React and React Router ask whether it is there: pages change without a transition',
  ],
  ['canIntercept currentEntry navigationType', 'React asks for window.navigation first'],
  [
    'cssFloat fromElement movementX movementY marginTop marginBottom',
    'React’s names for styles and properties of events',
  ],
  ['getAsFileSystemHandle showOpenFilePicker', 'the drop area’s library asks whether they are there'],
  ['trustedTypes createPolicy createScriptURL', 'the analytics’ library asks whether they are there'],
  ['cookieEnabled', 'the analytics’ library: without it, cookies count as off, and nothing is counted'],
  [
    'isExtended fullName closedBy fileName vendorId contentEncoding toArray getIds',
    'names of our own and of libraries, not of the platform',
  ],
  ['sampleCount featureSettings projectionMatrix renderTime colorspace', 'names of MapLibre’s own'],
  ['VideoFrame copyTo colorSpace', 'MapLibre asks whether they are there'],
  ['changedTouches', 'only read in a touch event, which Safari on a computer has none of'],
  [
    ':-webkit-inner-spin-button :-webkit-search-cancel-button',
    'other browsers draw no such button, or theirs',
  ],
  ['imageSmoothingQuality', 'sets a property that other browsers ignore: they shrink as they always do'],
  [':selection', 'the browser’s own colour'],
  [':open', 'in a list of Tailwind’s, where [open] stands for it'],
  ['@page', 'the browser’s own margins of paper'],
  ['@starting-style', 'menus and dialogs open without a movement'],
]
export const GUARDED: Readonly<Record<string, string>> = Object.fromEntries(
  GUARDS.flatMap(([names, guard]) => names.split(' ').map((name) => [name, guard])),
)

const CLIENT = 'build/client/assets'
/** ES2023 added only the hashbang to the syntax: all of the oldest browsers have the rest. */
const SYNTAX = 'es2022'

type Found = ReadonlyMap<string, ReadonlySet<string>>

/** Finds the newer names in scripts and styles. @returns the files of each */
export function findNewer(files: Readonly<Record<string, string>>, newer: NewerFeatures): Found {
  const found = new Map<string, Set<string>>()
  const note = (file: string, list: Record<string, string>, name = '') => {
    if (!Object.hasOwn(list, name)) return
    found.set(name, (found.get(name) ?? new Set()).add(file))
  }
  for (const [file, text] of Object.entries(files)) {
    if (file.endsWith('.css')) {
      // A selector stands before a brace, a value doesn't.
      const selectors = [...text.matchAll(/([^{};]*)\{/g)].map(([, selector = '']) => selector)
      for (const [, name] of selectors.join().matchAll(/:(:[a-z-]+|(?<=[^:]:)[a-z-]+)/g))
        note(file, newer.selectors, name?.startsWith(':') ? name : `:${name}`)
      for (const [name] of text.matchAll(/@[a-z-]+/g)) note(file, newer.atRules, name)
    } else {
      for (const [, name] of text.matchAll(/\.([A-Za-z]\w*)/g)) note(file, newer.members, name)
      for (const [, name] of text.matchAll(/(?<![.\w$'"`-])([A-Z][a-z]\w*)(?!\w|:)/g))
        note(file, newer.members, name)
      for (const [, name] of text.matchAll(/[{,]([A-Za-z]+):/g))
        note(file, newer.attributes, name?.toLowerCase())
    }
  }
  return found
}

/** The names without a guard, and the guards without a use. */
export function problemsOf(
  found: Found,
  guarded: Readonly<Record<string, string>>,
  newer: NewerFeatures,
): string[] {
  const about = (name: string) =>
    newer.members[name] ?? newer.attributes[name] ?? newer.selectors[name] ?? newer.atRules[name]
  const unguarded = [...found].filter(([name]) => !Object.hasOwn(guarded, name))
  return [
    ...unguarded.map(([name, files]) => `${name} (${about(name)}) in ${[...files].slice(0, 3).join(', ')}`),
    ...Object.keys(guarded)
      .filter((name) => !found.has(name))
      .map((name) => `${name} is guarded, but nothing uses it: take it out of the list`),
  ]
}

function checkLanguage(scripts: readonly string[]): string[] {
  const query = Object.entries(BASELINE).map(
    ([name, version]) => `${name === 'ios' ? 'ios_saf' : name} ${version}`,
  )
  const esCheck = (args: readonly string[]) =>
    spawnSync(
      process.execPath,
      ['node_modules/es-check/lib/cli/index.js', ...args, '--module', '--noColor', ...scripts],
      { encoding: 'utf8', maxBuffer: 1 << 26 },
    )
  const runs = [
    esCheck([SYNTAX]),
    esCheck([
      'checkBrowser',
      `--browserslistQuery=${query.join(', ')}`,
      '--checkFeatures',
      `--ignore=${EARLY_BUILT_INS.join(',')}`,
    ]),
  ]
  return runs.flatMap(({ status, stdout, stderr }) => {
    if (status === 0) return []
    const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => /erroring file|· error/.test(line))
    return lines.length > 0 ? lines : [`es-check ended with ${status}: ${stderr}`]
  })
}

function check(): string[] {
  const newer = JSON.parse(
    readFileSync(new URL('newer-features.json', import.meta.url), 'utf8'),
  ) as NewerFeatures
  if (JSON.stringify(newer.baseline) !== JSON.stringify(BASELINE))
    return ['The baseline has changed: write newer-features.json again (tests/newer-features.ts).']
  // Without those of earlier builds, which the build keeps for open pages.
  const assets = (JSON.parse(readFileSync('build/assets.json', 'utf8')) as string[]).filter((name) =>
    /\.(js|css)$/.test(name),
  )
  const files = Object.fromEntries(assets.map((name) => [name, readFileSync(join(CLIENT, name), 'utf8')]))
  if (assets.length < 50) return [`Only ${assets.length} scripts and styles were found.`]
  const scripts = assets.filter((name) => name.endsWith('.js')).map((name) => join(CLIENT, name))
  return [...checkLanguage(scripts), ...problemsOf(findNewer(files, newer), GUARDED, newer)]
}

if (import.meta.filename === process.argv[1]) {
  const { ensureBuilt } = await import('../server/build.ts')
  await ensureBuilt()
  const problems = check()
  process.stdout.write(problems.map((line) => `${line}\n`).join(''))
  process.exitCode = problems.length > 0 ? 1 : 0
}
