import type { RouteConfigEntry } from '@react-router/dev/routes'
import { matchRoutes, type RouteObject } from 'react-router'
import { expect, it } from 'vitest'
import routes from '../app/routes.ts'
import { sectionOf } from '../server/browser-manifest.ts'

/**
 * A browser on a public page takes a route that it knows for the address's own, unless it is one for all other paths
 * (app/shell/discover-routes.ts). So no public route may match the address of a private page.
 */

type Entry = { id: string; parentId?: string; path?: string; index?: boolean }

/** React Router's ids: those of the file's name, unless the route has its own. */
function entriesOf(config: readonly RouteConfigEntry[], parentId?: string): Entry[] {
  return config.flatMap(({ file, id = file.replace(/\.tsx?$/, ''), path, index, children = [] }) => [
    { id, path, index, ...(parentId === undefined ? {} : { parentId }) },
    ...entriesOf(children, id),
  ])
}

const entries = entriesOf(routes)
const byId = Object.fromEntries(entries.map((one) => [one.id, one]))
const isPublic = ({ id }: Entry) => sectionOf(id, byId) === null

function treeOf(isKept: (one: Entry) => boolean, parentId?: string): RouteObject[] {
  return entries
    .filter((one) => one.parentId === parentId && isKept(one))
    .map(({ id, path, index }) => (index ? { id, path, index } : { id, path, children: treeOf(isKept, id) }))
}

function pathOf({ path = '', parentId }: Entry): string {
  const parent = byId[parentId ?? '']
  return [parent ? pathOf(parent) : '', path].filter(Boolean).join('/')
}

/** Addresses of a pattern: with and without what is optional. */
function addressesOf(pattern: string): string[] {
  const filled = (keepsOptional: boolean) =>
    `/${pattern
      .split('/')
      .filter((part) => keepsOptional || !part.endsWith('?'))
      .map((part) => (part.startsWith(':') || part === '*' ? 'some-value' : part.replace('?', '')))
      .join('/')}`
  return [filled(true), filled(false)]
}

const lazy = entries.filter((one) => !isPublic(one) && (one.path !== undefined || one.index))

it('covers private routes of every section', () => {
  expect(new Set(lazy.map(({ id }) => sectionOf(id, byId))).size).toBe(4)
})

it.each(lazy.flatMap((one) => addressesOf(pathOf(one)).map((address) => [address, one.id] as const)))(
  'no public route takes %s from %s',
  (address, id) => {
    const known = matchRoutes(treeOf(isPublic), address)?.at(-1)?.route
    expect(known?.path === undefined || known.path.endsWith('*')).toBe(true)
    expect(
      matchRoutes(
        treeOf(() => true),
        address,
      )?.some(({ route }) => route.id === id),
    ).toBe(true)
  },
)
