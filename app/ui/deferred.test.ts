import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { deferred } from './deferred.tsx'

const Dialog = () => createElement('p', null, 'The card was declined.')

/** A window that can go online, and a server that responds only while `isUp`. */
function connection() {
  const state = { isUp: false, reloads: 0 }
  const location = { href: 'https://jubilee.example/', reload: () => void state.reloads++ }
  const browser = Object.assign(new EventTarget(), { location })
  vi.stubGlobal('window', browser)
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} })
  vi.stubGlobal('fetch', async () => {
    if (!state.isUp) throw new TypeError('Failed to fetch')
    return new Response()
  })
  return Object.assign(state, { goOnline: () => browser.dispatchEvent(new Event('online')) })
}

/** A script that can't be fetched while the server is unreachable. */
function scriptOf(server: { isUp: boolean }) {
  return vi.fn(async () => {
    if (!server.isUp) throw new TypeError('error loading dynamically imported module')
    return Dialog
  })
}

describe('a deferred part whose script can’t be fetched because the connection is lost', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('loads once the browser is online again, without a reload', async () => {
    const server = connection()
    const find = scriptOf(server)
    const Part = deferred('dialog', find)
    const loaded = Part.load()
    await vi.advanceTimersByTimeAsync(0)
    server.isUp = true
    server.goOnline()
    await loaded
    expect(find).toHaveBeenCalledTimes(2)
    expect(renderToString(createElement(Part))).toContain('The card was declined.')
    expect(server.reloads).toBe(0)
  })

  it('loads after a delay if the browser never noticed the loss', async () => {
    const server = connection()
    const Part = deferred('dialog', scriptOf(server))
    const loaded = Part.load()
    await vi.advanceTimersByTimeAsync(10_000)
    server.isUp = true
    await vi.advanceTimersByTimeAsync(30_000)
    await loaded
    expect(renderToString(createElement(Part))).toContain('The card was declined.')
  })

  it('can be fetched again by a page that failed without it', async () => {
    const server = connection()
    const Part = deferred('dialog', scriptOf(server))
    await expect(Part.fetch()).rejects.toThrow(TypeError)
    server.isUp = true
    await Part.fetch()
    expect(renderToString(createElement(Part))).toContain('The card was declined.')
  })
})
