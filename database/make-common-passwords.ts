/**
 * Writes database/common-passwords.bin: `node database/make-common-passwords.ts <language-common> <language-en>`, with the
 * unpacked npm packages of zxcvbn-ts that docs/decisions/0040-weak-passwords.md names.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commonPasswordEntry } from '../app/adapters/accounts/common-passwords.server.ts'

const [, , common, english] = process.argv
if (!common || !english) throw new Error('usage: node database/make-common-passwords.ts <common> <english>')

/** Shorter words would refuse nothing: no policy of a real site allows them. */
const SHORTEST_WORD = 6
/** Of some 89,000, commonest first. */
const LAST_NAMES = 20_000

const read = (folder: string, name: string) =>
  JSON.parse(readFileSync(join(folder, 'src', `${name}.json`), 'utf8')) as string[]

// zxcvbn keeps an entry in one of its lists only, so the common passwords that are words or names are in the others.
const words = [
  ...['commonWords', 'firstnames', 'wikipedia'].flatMap((name) => read(english, name)),
  ...read(english, 'lastnames').slice(0, LAST_NAMES),
]
const passwords = [...read(common, 'passwords'), ...words.filter((word) => [...word].length >= SHORTEST_WORD)]
const entries = [
  ...new Set(passwords.map((password) => commonPasswordEntry(password).toString('hex'))),
].sort()
writeFileSync(new URL('common-passwords.bin', import.meta.url), Buffer.from(entries.join(''), 'hex'))
process.stdout.write(`${entries.length} entries\n`)
