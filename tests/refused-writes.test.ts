import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandsThatWriteBeforeRefusing } from './refused-writes.ts'

/** These go on after their transaction: a payment whose time is taken is ended. */
const GO_ON: readonly string[] = ['ensureHeld']

it('each command that writes before it refuses has a test that nothing is left of its writes', () => {
  const tested = new Set(
    globSync('{app,tests}/**/*.test.ts').flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/leavesAsIs\(\s*[\w.]+,\s*'(\w+)'/g)].map(([, name]) => name),
    ),
  )
  expect(commandsThatWriteBeforeRefusing().filter((name) => !tested.has(name))).toEqual(GO_ON)
})

describe('a command that returns a refusal', () => {
  const INSERT = `await tx.insertInto('rows').values({}).execute()`
  const STEPS = `
    async function add(tx) { ${INSERT} }
    async function adds(tx) { const added = ${INSERT}; return added ? { ok: true } : refuse('taken') }
    async function addsFirst(tx) { ${INSERT}; if (isFull) return refuse('full'); return { ok: true } }
    async function finds(tx) { return async () => { ${INSERT} } }
    async function extend(tx) { const row = ${INSERT}; if (row) return 'done'; return 'gone' }`
  const found = (work: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'jubilee-refusals-'))
    const file = join(folder, 'commands.server.ts')
    writeFileSync(
      file,
      `${STEPS}\nasync function command() { return db.transaction().execute(async (tx) => { ${work} }) }`,
    )
    try {
      return commandsThatWriteBeforeRefusing([file]).includes('command')
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  it.each([
    ['after an insert', `${INSERT}; return refuse('full')`],
    [
      'after a function that inserts',
      `await add(tx); if (isFull) return refuse('full'); return { ok: true }`,
    ],
    ['of a function that inserts first', `return addsFirst(tx)`],
    [
      'of such a function, by its result',
      `const one = await addsFirst(tx); if (!one.ok) return one; return { ok: true }`,
    ],
    [
      'of the second of two functions',
      `await add(tx); const one = await adds(tx); return one.ok ? one : refuse('taken')`,
    ],
    [
      'after a function that another returned',
      `const act = await finds(tx); await act(); return refuse('full')`,
    ],
    ['after an insert in a branch that goes on', `if (isNew) { ${INSERT} }\nreturn refuse('full')`],
    ['after an insert in a loop', `for (const one of all) { ${INSERT} }\nreturn refuse('full')`],
    [
      'after the insert whose result says that it worked',
      `const row = ${INSERT}; if (row) return refuse('full'); return { ok: true }`,
    ],
  ])('is found %s', (_, work) => {
    expect(found(work)).toBe(true)
  })

  it.each([
    ['before an insert', `if (isFull) return refuse('full'); ${INSERT}; return { ok: true }`],
    [
      'where the insert itself conflicts',
      `const row = ${INSERT}; if (!row) return refuse('taken'); return { ok: true }`,
    ],
    [
      'where the function inserts nothing then',
      `const one = await adds(tx); if (!one.ok) return one; return { ok: true }`,
    ],
    [
      'by a word that comes without a write',
      `const one = await extend(tx); if (one === 'gone') return refuse('gone'); return { ok: true }`,
    ],
    [
      'after an insert in a branch that returns',
      `if (isNew) { ${INSERT}; return { ok: true } }\nreturn refuse('full')`,
    ],
    [
      'before the function runs that another returned',
      `const act = await finds(tx); if (isFull) return refuse('full'); await act(); return { ok: true }`,
    ],
    ['with a mark that its writes stay', `${INSERT}; return keepWrites(refuse('over'))`],
  ])('is left out %s', (_, work) => {
    expect(found(work)).toBe(false)
  })
})
