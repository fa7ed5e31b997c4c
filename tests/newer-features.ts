/**
 * Writes newer-features.json, the names of what is newer than the baseline, from MDN's browser-compat-data. It isn't a
 * dependency, since it has 20 MB: `npm pack @mdn/browser-compat-data`, unpack it, and run
 * `node tests/newer-features.ts package/data.json` after the baseline or the data has changed.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { BASELINE } from '../app/shared/baseline.ts'
import type { NewerFeatures } from './baseline.ts'

type Support = { version_added?: string | boolean | null } & Record<string, unknown>
type Compat = { support: Record<string, Support | Support[]> }
/** A feature with those below it. Its own data is the value of '__compat'. */
type Node = { [name: string]: Node }

const compatOf = (node: Node | undefined) => node?.__compat as unknown as Compat | undefined

const BROWSERS = {
  chrome: BASELINE.chrome,
  firefox: BASELINE.firefox,
  safari: BASELINE.safari,
  safari_ios: BASELINE.ios,
}

/** The version in which a browser got a feature without a flag or prefix; null if it has none. */
function addedIn(support: Support | Support[] | undefined): string | null {
  const plain = [support ?? []]
    .flat()
    .find((one) => !one.flags && !one.prefix && !one.alternative_name && !one.version_removed)
  const version = plain?.version_added
  return typeof version === 'string' && version !== 'preview' ? version.replace('≤', '') : null
}

function isNewer(version: string, baseline: string): boolean {
  const [one, other] = [version, baseline].map((text) => text.split('.').map(Number))
  const major = (one?.[0] ?? 0) - (other?.[0] ?? 0)
  return major > 0 || (major === 0 && (one?.[1] ?? 0) > (other?.[1] ?? 0))
}

/** 'chrome 120, safari 17', or '' for a feature that all of the oldest browsers have, or none of any age. */
function lacking(node: Node): string {
  const versions = Object.entries(BROWSERS).map(([browser, baseline]) => {
    const version = addedIn(compatOf(node)?.support[browser])
    const lacks = version === null || isNewer(version, baseline)
    return { text: `${browser} ${version ?? 'never'}`, lacks, exists: version !== null }
  })
  if (!versions.some(({ exists }) => exists)) return ''
  return versions
    .filter(({ lacks }) => lacks)
    .map(({ text }) => text)
    .join(', ')
}

const childrenOf = (node: Node | undefined) =>
  Object.entries(node ?? {}).filter(([name, child]) => name !== '__compat' && compatOf(child))

/** Names that stand for newer features alone: an older feature of the same name makes a use of it ambiguous. */
function onlyNewer(found: readonly (readonly [name: string, about: string, lacks: string])[]) {
  const older = new Set(found.filter(([, , lacks]) => !lacks).map(([name]) => name))
  const names = found.filter(([name]) => !older.has(name)).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(names.map(([name, about, lacks]) => [name, `${about}: ${lacks}`]))
}

/** Only names of several words: 'range' or 'first' would be found everywhere. */
const isTelling = (name: string) => /[a-z][A-Z]/.test(name) || name === 'popover'

const data = JSON.parse(readFileSync(process.argv[2] ?? 'package/data.json', 'utf8')) as Node
const interfaces = [...childrenOf(data.api), ...childrenOf(data.javascript?.builtins)]
const members = interfaces.flatMap(([name, node]) => [
  [name, name, lacking(node)] as const,
  ...childrenOf(node)
    .filter(([member]) => !member.endsWith('_event'))
    .map(([member, child]) => [member.replace(/_static$/, ''), `${name}.${member}`, lacking(child)] as const),
])
const css = (kind: string, mark: string) =>
  childrenOf(data.css?.[kind]).map(
    ([name, node]) => [`${mark}${name}`, `css.${kind}.${name}`, lacking(node)] as const,
  )
const elements = Object.values(data.html?.elements ?? {})
const attributes = [...childrenOf(data.html?.global_attributes), ...elements.flatMap(childrenOf)].map(
  ([name, node]) => [name, name, lacking(node)] as const,
)

const features: NewerFeatures = {
  source: `@mdn/browser-compat-data ${(data.__meta as unknown as { version: string }).version}`,
  baseline: { ...BASELINE },
  members: onlyNewer(members.filter(([name]) => isTelling(name))),
  attributes: onlyNewer(attributes.filter(([name]) => name.length > 5 && !name.includes('_'))),
  selectors: onlyNewer(css('selectors', ':')),
  atRules: onlyNewer(css('at-rules', '@')),
}
writeFileSync(new URL('newer-features.json', import.meta.url), `${JSON.stringify(features, null, 2)}\n`)
