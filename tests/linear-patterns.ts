/**
 * Reports every regular expression of app/ and server/ that may take more than linear time. A stranger's text of a few
 * kilobytes holds the process for seconds in a quadratic expression. The detector (recheck) computes the complexity
 * from the pattern, so nothing is timed. Results are cached by pattern, since a first run takes half a minute.
 *
 * A pattern whose text has a small limit may say so in a comment above its statement, 'bounded by MAX_LENGTH in
 * app/a/limits.ts', or all of a file's in its first line, 'Every pattern here is bounded by …'. The check reads the limit
 * there and computes the steps.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Diagnostics } from 'recheck'
import ts from 'typescript'

const CACHE = 'node_modules/.cache/linear-patterns.json'
/** A bounded pattern may take this many steps: some 100 ms, for the longest text that the detector can think of. */
const MAX_STEPS = 30_000_000
const TIMEOUT_MS = 60_000

/** A regular expression in a source file. */
export type FoundPattern = {
  line: number
  /** Null for an expression that is put together while the program runs. */
  pattern: { source: string; flags: string } | null
  /** The constant that limits its text, and the file that declares it. */
  bound: { name: string; file: string } | null
}

/**
 * Finds the regular expressions of a source file. A `new RegExp(other.source, …)` is left out, since the other one is
 * found where it is written.
 */
export function patternsIn(name: string, text: string): FoundPattern[] {
  const kind = name.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, kind)
  const everyBound = boundIn(/^.*Every pattern here is (.*)/.exec(text)?.[1] ?? '')
  const found: FoundPattern[] = []
  const visit = (node: ts.Node): void => {
    const pattern = patternOf(node)
    if (pattern !== undefined) {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line
      found.push({ line: line + 1, pattern, bound: boundIn(commentAbove(node, text)) ?? everyBound })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function boundIn(comment: string): FoundPattern['bound'] {
  const [, name, file] = /bounded by (\w+) in ([\w./-]+\w)/.exec(comment) ?? []
  return name && file ? { name, file } : null
}

/** The comment above the statement, or the entry of a list, that a node belongs to. */
function commentAbove(node: ts.Node, text: string): string {
  for (let at = node; at.parent; at = at.parent) {
    const ranges = ts.getLeadingCommentRanges(text, at.getFullStart()) ?? []
    if (ranges.length > 0)
      return ranges
        .map(({ pos, end }) => text.slice(pos, end).replaceAll(/^\/\/|\n[\s*/]*/g, ' '))
        .join(' ')
        .replaceAll(/\s+/g, ' ')
    if (ts.isStatement(at)) return ''
  }
  return ''
}

/** @returns null for a pattern that is put together, and undefined for a node that is none */
function patternOf(node: ts.Node): FoundPattern['pattern'] | undefined {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/')
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) }
  }
  const isCall = ts.isNewExpression(node) || ts.isCallExpression(node)
  if (!isCall || node.expression.getText() !== 'RegExp') return undefined
  const [source, flags] = node.arguments ?? []
  if (source && ts.isPropertyAccessExpression(source) && source.name.text === 'source') return undefined
  if (!source || !ts.isStringLiteralLike(source) || (flags && !ts.isStringLiteralLike(flags))) return null
  return { source: source.text, flags: flags && ts.isStringLiteralLike(flags) ? flags.text : '' }
}

/** The complexity of a pattern's worst text: 1 for linear, 2 for square, Infinity for exponential. */
export function degreeOf(diagnostics: Diagnostics): number | null {
  if (diagnostics.status === 'safe') return 1
  if (diagnostics.status === 'unknown') return null
  return diagnostics.complexity.type === 'polynomial' ? diagnostics.complexity.degree : Infinity
}

/** Returns the fault of a pattern, or null if it may stay. @param limit the most characters that it is given, if bounded */
export function problemOf(degree: number | null, limit: number | null): string | null {
  if (degree === null) return 'can’t be analysed: make it simpler'
  if (degree <= 1) return null
  const cost = Number.isFinite(degree)
    ? `takes the length to the power of ${degree}`
    : 'takes exponential time'
  if (limit === null) return `${cost}: make it linear, or bound its text`
  return limit ** degree <= MAX_STEPS ? null : `${cost}, which is too much for ${limit} characters`
}

/** Computes degrees, at most once per pattern and version of the detector. */
function createDetector() {
  const require = createRequire(import.meta.url)
  const { check } = require('recheck') as typeof import('recheck')
  const { version } = require('recheck/package.json') as { version: string }
  const cache: Record<string, number | 'exponential' | null> = existsSync(CACHE)
    ? JSON.parse(readFileSync(CACHE, 'utf8'))
    : {}
  const analyse = async (source: string, flags: string) => {
    // The native program is ten times as fast, but only some systems have one. Elsewhere the same code runs here.
    process.env.RECHECK_BACKEND ??= 'native'
    try {
      return await check(source, flags, { timeout: TIMEOUT_MS })
    } catch (error) {
      if (process.env.RECHECK_BACKEND === 'worker') throw error
      process.env.RECHECK_BACKEND = 'worker'
      return check(source, flags, { timeout: TIMEOUT_MS })
    }
  }
  return {
    async degree({ source, flags }: { source: string; flags: string }): Promise<number | null> {
      // Neither flag changes how a text is searched.
      const key = createHash('sha256').update(`${version} ${source}/${flags}`).digest('hex').slice(0, 24)
      if (!(key in cache)) {
        const degree = degreeOf(await analyse(source, flags.replace(/[dv]/g, '')))
        cache[key] = degree === Infinity ? 'exponential' : degree
      }
      const known = cache[key] ?? null
      return known === 'exponential' ? Infinity : known
    },
    save() {
      mkdirSync('node_modules/.cache', { recursive: true })
      writeFileSync(CACHE, JSON.stringify(cache))
    },
  }
}

/** Imports modules and notes each pattern that they put together, by file and line. */
async function patternsMadeBy(
  files: readonly string[],
): Promise<Map<string, { source: string; flags: string }[]>> {
  const made = new Map<string, { source: string; flags: string }[]>()
  const places = new Map(files.map((file) => [pathToFileURL(resolve(file)).href, file]))
  const note = (pattern: RegExp) => {
    for (const [, url = '', line] of (new Error().stack ?? '').matchAll(/(file:[^\s()]+?):(\d+):\d+/g)) {
      const file = places.get(url)
      if (!file) continue
      const place = `${file}:${line}`
      made.set(place, [...(made.get(place) ?? []), { source: pattern.source, flags: pattern.flags }])
      return pattern
    }
    return pattern
  }
  const original = globalThis.RegExp
  globalThis.RegExp = new Proxy(original, {
    construct: (target, input, itself) => note(Reflect.construct(target, input, itself) as RegExp),
    apply: (target, itself, input) => note(Reflect.apply(target, itself, input) as RegExp),
  })
  for (const url of places.keys()) await import(url)
  globalThis.RegExp = original
  return made
}

/** The value of a numeric constant; null if the file doesn't declare it. */
function constantIn(file: string, name: string): number | null {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const value = new RegExp(`^(?:export )?const ${name} = ([\\d_]+)$`, 'm').exec(text)?.[1]
  return value === undefined ? null : Number(value.replaceAll('_', ''))
}

async function main(): Promise<number> {
  const files = ['app', 'server']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
    )
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  const found = files.flatMap((file) =>
    patternsIn(file, readFileSync(file, 'utf8')).map((one) => ({
      ...one,
      file,
      place: `${file}:${one.line}`,
    })),
  )
  const made = await patternsMadeBy([
    ...new Set(found.flatMap(({ file, pattern }) => (pattern === null ? file : []))),
  ])
  const detector = createDetector()
  let problems = 0
  const report = (place: string, problem: string | null) => {
    if (problem === null) return
    problems++
    process.stdout.write(`${place} ${problem}\n`)
  }
  for (const { place, pattern, bound } of found) {
    const patterns = pattern ? [pattern] : (made.get(place) ?? [])
    if (patterns.length === 0)
      report(place, 'is put together in a function: make it a constant of its module')
    for (const one of patterns) {
      const limit = bound && constantIn(bound.file, bound.name)
      if (bound && limit === null)
        report(place, `is bounded by ${bound.name}, which ${bound.file} doesn’t declare`)
      report(place, problemOf(await detector.degree(one), limit))
    }
  }
  detector.save()
  // A check that finds no patterns would always pass.
  return problems > 0 || found.length < 300 ? 1 : 0
}

if (import.meta.main) process.exit(await main())
