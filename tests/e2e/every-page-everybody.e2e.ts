import { expect, it } from 'vitest'
import { checkEveryPage } from './every-page.ts'
import { pageRoutes, REACHED_OTHERWISE, WHO } from './pages.ts'

const { visits } = checkEveryPage(['everybody'])

it('every page route is checked', () => {
  const seen = [...WHO.flatMap((who) => visits()[who]), ...REACHED_OTHERWISE].map((path) =>
    path.replace(/\?.*/, ''),
  )
  const isSeen = (route: string) => {
    const pattern = new RegExp(`^${route.replace(/:\w+/g, '[^/]+').replace(/\*$/, '.+')}$`)
    return seen.some((path) => pattern.test(path))
  }
  expect(pageRoutes().filter((route) => !isSeen(route))).toEqual([])
})
