import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CLIENT_FOLDER } from './weight.ts'

/** The one library module that the build replaces (decision 23), and the reason why. */

const LIBRARY = 'node_modules/react-router'
const RELOADS = /window\.location\.reload\(\)/

describe('the module that fetches the scripts of routes', () => {
  it('reloads the page on every failure in React Router 8.4.0, to be reviewed before an upgrade', () => {
    const { version } = JSON.parse(readFileSync(join(LIBRARY, 'package.json'), 'utf8'))
    expect(version).toBe('8.4.0')
    const source = readFileSync(join(LIBRARY, 'dist/production/lib/dom/ssr/routeModules.js'), 'utf8')
    expect(source).toMatch(RELOADS)
    // Its only guard is for development, so a page that redirects on its own would reload forever.
    expect(source).not.toContain('sessionStorage')
  })

  it('is ours in the scripts of a build', () => {
    const assets = join(CLIENT_FOLDER, 'assets')
    const scripts = readdirSync(assets)
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFileSync(join(assets, name), 'utf8'))
    expect(scripts.some((text) => text.includes('RouteModuleMissing'))).toBe(true)
    expect(scripts.filter((text) => text.includes('Error loading route module'))).toEqual([])
  })
})
