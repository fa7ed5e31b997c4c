import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { LIGHTHOUSE } from '../bench/lighthouse-package.ts'
import { EMULATOR } from './firebase-emulator.ts'

type Manifest = { license?: string; dependencies?: Record<string, string> }

const readManifest = (path: string): Manifest => JSON.parse(readFileSync(path, 'utf8'))

it('docs/dependencies.md gives the purpose and licence of every dependency of the product', () => {
  const listed = [...readFileSync('docs/dependencies.md', 'utf8').matchAll(/^\| `(.+?)` \|(.+)\|$/gm)].map(
    ([, name = '', rest = '']) => {
      const cells = rest.split('|').map((cell) => cell.trim())
      expect(cells, name).toHaveLength(4)
      expect(cells.every(Boolean), name).toBe(true)
      return { name, licence: cells.at(-1) }
    },
  )
  const { dependencies = {} } = readManifest('package.json')
  expect(listed).toEqual(
    Object.keys(dependencies)
      .sort()
      .map((name) => ({ name, licence: readManifest(`node_modules/${name}/package.json`).license })),
  )
})

it('every version of a dependency is pinned', () => {
  for (const [name, version] of Object.entries(readManifest('package.json').dependencies ?? {}))
    expect(version, name).toMatch(/^\d+\.\d+\.\d+$/)
})

// The tests in Firefox use Puppeteer, so it is a dependency of the tests. Lighthouse would be a sixth of all files.
it.each([
  [EMULATOR, 'firebase-tools'],
  [LIGHTHOUSE, 'lighthouse'],
])('the packages of $name are pinned by version and day, and no dependency', (tool, fetched) => {
  for (const version of Object.values(tool.packages)) expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  expect(tool.before).toMatch(/^\d{4}-\d\d-\d\d$/)
  expect(Object.keys(tool.packages)).toContain(fetched)
  const ours = readFileSync('package-lock.json', 'utf8')
  expect(ours).not.toContain(`node_modules/${fetched}"`)
})
