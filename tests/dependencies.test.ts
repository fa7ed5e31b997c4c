import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

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

it.each([
  ['tests/firebase-emulator', 'firebase-tools', ['firebase-tools']],
  // The tests in Firefox use Puppeteer, so it is a dependency of the tests. Lighthouse would be a sixth of all files.
  ['bench/lighthouse', 'lighthouse', ['lighthouse', 'puppeteer-core']],
])('%s is pinned, each of its packages by a hash, and %s is no dependency', (folder, fetched, names) => {
  const version = expect.stringMatching(/^\d+\.\d+\.\d+$/)
  expect(readManifest(`${folder}/package.json`).dependencies).toEqual(
    Object.fromEntries(names.map((name) => [name, version])),
  )
  const { packages } = JSON.parse(readFileSync(`${folder}/package-lock.json`, 'utf8')) as {
    packages: Record<string, { integrity?: string; inBundle?: boolean }>
  }
  const unpinned = Object.entries(packages).filter(([path, one]) => path && !one.inBundle && !one.integrity)
  expect(unpinned).toEqual([])
  const ours = readFileSync('package-lock.json', 'utf8')
  expect(ours).not.toContain(`node_modules/${fetched}"`)
})
