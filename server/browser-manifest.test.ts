import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { slimManifest } from './browser-manifest.ts'

const route = (id: string, more: object) => [id, { id, hasDefaultExport: false, hasAction: false, ...more }]
const manifest = (...routes: (readonly unknown[])[]) =>
  `window.__reactRouterManifest=${JSON.stringify({ version: 'v', routes: Object.fromEntries(routes as [string, object][]) })};`
/** The manifest as the browser has it once the script has run. */
function read(script: string): { routes: object } {
  const window: { __reactRouterManifest?: { routes: object } } = {}
  runInNewContext(script, { window })
  return structuredClone(window.__reactRouterManifest ?? { routes: {} })
}

const root = route('root', { hasDefaultExport: true })

it('leaves out the routes of layouts that have no page', () => {
  const script = manifest(
    root,
    route('site', { parentId: 'root', hasDefaultExport: true }),
    route('guard', { parentId: 'site' }),
    route('page', { parentId: 'guard', hasDefaultExport: true }),
    // Its loader redirects, so the router must know it.
    route('redirect', { parentId: 'guard' }),
    route('api', { parentId: 'root' }),
    route('api-files', { parentId: 'api' }),
    route('photo', { parentId: 'api-files' }),
  )
  expect(Object.keys(read(slimManifest(script, null)).routes)).toEqual([
    'root',
    'site',
    'guard',
    'page',
    'redirect',
  ])
})

it('leaves out attributes that are false, and sorts imports by how many routes share them', () => {
  const script = manifest(
    root,
    route('one', { parentId: 'root', hasDefaultExport: true, hasLoader: true, imports: ['own', 'b', 'a'] }),
    route('two', { parentId: 'root', hasDefaultExport: true, imports: ['a', 'b'] }),
  )
  expect(read(slimManifest(script, null)).routes).toMatchObject({
    one: { id: 'one', parentId: 'root', hasDefaultExport: true, hasLoader: true, imports: ['a', 'b', 'own'] },
    two: { id: 'two', parentId: 'root', hasDefaultExport: true, imports: ['a', 'b'] },
  })
  expect(slimManifest(script, null)).not.toContain('false')
})

it('leaves out imports that every page has loaded with its entry', () => {
  const routes = { one: { id: 'one', hasDefaultExport: true, imports: ['entry', 'own'] } }
  const script = `window.__reactRouterManifest=${JSON.stringify({ entry: { imports: ['entry'] }, routes })};`
  expect(read(slimManifest(script, null)).routes).toMatchObject({ one: { imports: ['own'] } })
})

it('keeps the routes of its own section, and of no other', () => {
  const script = manifest(
    root,
    route('page', { parentId: 'root', hasDefaultExport: true }),
    route('routes/dashboard/layout', { parentId: 'root', hasDefaultExport: true }),
    route('overview', { parentId: 'routes/dashboard/layout', hasDefaultExport: true }),
    route('routes/operations/layout', { parentId: 'root', hasDefaultExport: true }),
  )
  const idsFor = (section: string | null) => Object.keys(read(slimManifest(script, section)).routes)
  expect(idsFor(null)).toEqual(['root', 'page'])
  expect(idsFor('dashboard')).toEqual(['root', 'page', 'routes/dashboard/layout', 'overview'])
})

it('refuses a manifest of another form', () => {
  expect(() => slimManifest('export default {}', null)).toThrow('doesn’t begin as expected')
})
