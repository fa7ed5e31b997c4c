import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CLIENT_FOLDER } from './weight.ts'

/** The library's modules that the build replaces (decisions 23 and 73), and the reasons why. */

const LIBRARY = 'node_modules/react-router'
const LIBRARY_SOURCES = join(LIBRARY, 'dist/production/lib')
const RELOADS = /window\.location\.reload\(\)/

const scriptsOfBuild = () => {
  const assets = join(CLIENT_FOLDER, 'assets')
  return readdirSync(assets)
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(assets, name), 'utf8'))
}

describe('the module that fetches the scripts of routes', () => {
  it('reloads the page on every failure in React Router 8.4.0, to be reviewed before an upgrade', () => {
    const { version } = JSON.parse(readFileSync(join(LIBRARY, 'package.json'), 'utf8'))
    expect(version).toBe('8.4.0')
    const source = readFileSync(join(LIBRARY_SOURCES, 'dom/ssr/routeModules.js'), 'utf8')
    expect(source).toMatch(RELOADS)
    // Its only guard is for development, so a page that redirects on its own would reload forever.
    expect(source).not.toContain('sessionStorage')
  })

  it('comes from us in the scripts of a build', () => {
    const scripts = scriptsOfBuild()
    expect(scripts.some((text) => text.includes('RouteModuleMissing'))).toBe(true)
    expect(scripts.filter((text) => text.includes('Error loading route module'))).toEqual([])
  })
})

describe('the functions that discover routes', () => {
  const source = readFileSync(join(LIBRARY_SOURCES, 'dom/ssr/fog-of-war.js'), 'utf8')
  const router = readFileSync(join(LIBRARY_SOURCES, 'router/router.js'), 'utf8')

  it('ask for every link of a page in React Router 8.4.0, to be reviewed before an upgrade', () => {
    expect(source).toContain('"a[data-discover], form[data-discover]"')
  })

  it('ask for every address with a parameter, although its route is known', () => {
    expect(router).toContain(
      'else if (Object.keys(matches[0].params).length > 0) return {\n\t\t\t\tactive: true',
    )
  })

  it('end in an error page when the connection fails', () => {
    expect(source).toContain('if (!res.ok) throw new Error')
    expect(router).toContain('errors: { [boundaryId]: discoverResult.error }')
  })

  it('come from us in the scripts of a build', () => {
    const scripts = scriptsOfBuild()
    expect(scripts.some((text) => text.includes('/__manifest'))).toBe(true)
    expect(scripts.filter((text) => text.includes('Failed to fetch manifest patches'))).toEqual([])
  })
})
