import { describe, expect, it } from 'vitest'
import { describeBrowserError, MAX_BROWSER_ERROR_BYTES, readBrowserError } from './browser-errors.ts'

/** An error as a browser throws it in a built script. */
function thrown(message: string, frames = 2): Error {
  const error = new TypeError(message)
  const at = (line: number) =>
    `    at H (https://jubilee.example/assets/home-sections-BW1EIjw.js:${line}:2345)`
  error.stack = [
    `TypeError: ${message}`,
    ...Array.from({ length: frames }, (_, index) => at(index + 1)),
  ].join('\n')
  return error
}

describe('a report of a browser’s error', () => {
  it('names the part, the release, the kind of error and where it was thrown', () => {
    const report = describeBrowserError('home-sections', 'a83c2363', thrown('x is not a function'))
    expect(readBrowserError(report)).toEqual({
      part: 'home-sections',
      release: 'a83c2363',
      name: 'TypeError',
      at: ['/assets/home-sections-BW1EIjw.js:1:2345', '/assets/home-sections-BW1EIjw.js:2:2345'],
    })
  })

  it('contains neither the message nor the address of the page', () => {
    const error = thrown('grace@example.com is not iterable')
    error.stack += '\n    at https://jubilee.example/conversations/secret-link:12:1'
    const report = describeBrowserError('page', 'a83c2363', error)
    expect(report).not.toMatch(/grace|secret/)
    expect(readBrowserError(report)?.at).toHaveLength(2)
  })

  it('stays within its maximum length, however deep the stack is', () => {
    const report = describeBrowserError('home-sections', 'a83c2363', thrown('deep', 500))
    expect(report.length).toBeLessThan(MAX_BROWSER_ERROR_BYTES)
    expect(readBrowserError(report)?.at).toHaveLength(4)
  })

  it('can be made of anything that was thrown', () => {
    expect(readBrowserError(describeBrowserError('page', 'a83c2363', 'a text'))).toMatchObject({
      name: 'thrown',
      at: [],
    })
  })

  it.each([
    '',
    'home-sections a83c2363',
    'home-sections a83c2363 TypeError\nlevel=error forged',
    'home-sections a83c2363 TypeError call this number now',
    'home-sections a83c2363 TypeError https://elsewhere.example/assets/x.js:1:2',
    `${'a'.repeat(41)} a83c2363 TypeError`,
  ])('can’t be read in any other format: %j', (text) => {
    expect(readBrowserError(text)).toBeNull()
  })
})
