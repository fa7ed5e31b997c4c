import { describe, expect, it } from 'vitest'
import { isHarmlessRejection } from './harmless-rejection.ts'

describe('an unhandled rejection', () => {
  it.each([
    ['AbortError', 'The operation was aborted.'],
    // As Chromium, Firefox and WebKit word them.
    ['TimeoutError', 'Transition was aborted because of timeout in DOM update. DOM update timed out'],
    ['TimeoutError', 'Skipped ViewTransition due to timeout'],
    ['TimeoutError', 'View transition update callback timed out.'],
    ['InvalidStateError', 'Transition was aborted because of invalid state. Viewport size changed'],
    ['InvalidStateError', 'Skipped view transition due to viewport resize'],
    ['InvalidStateError', 'Skipping view transition because viewport size changed.'],
  ])(
    'is no error of the page if it is an aborted load or a skipped view transition: %s, %s',
    (name, message) => {
      expect(isHarmlessRejection(new DOMException(message, name))).toBe(true)
    },
  )

  it.each([
    new DOMException('The transaction is not active.', 'InvalidStateError'),
    new DOMException('Signal timed out.', 'TimeoutError'),
    new DOMException('Duplicate view-transition-name value while capturing old state', 'InvalidStateError'),
    new DOMException('Multiple elements found with view-transition-name: picture', 'InvalidStateError'),
    new TypeError('View transition update callback timed out.'),
    'AbortError',
    undefined,
  ])('is an error otherwise: %s', (reason) => {
    expect(isHarmlessRejection(reason)).toBe(false)
  })
})
