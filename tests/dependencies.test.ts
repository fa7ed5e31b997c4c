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
