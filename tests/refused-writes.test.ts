import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
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
