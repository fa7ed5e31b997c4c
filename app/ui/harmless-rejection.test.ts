import { describe, expect, it } from 'vitest'
import { isHarmlessRejection } from './harmless-rejection.ts'

describe('an unhandled rejection', () => {
  it.each([
    ['AbortError', 'The operation was aborted.'],
    // As Chromium, Firefox and WebKit word them.
    ['TimeoutError', 'Transition was aborted because of timeout in DOM update'],
    ['TimeoutError', 'Skipped ViewTransition due to timeout'],
    ['TimeoutError', 'View transition update callback timed out.'],
    ['InvalidStateError', 'Transition was aborted because of invalid state'],
    ['InvalidStateError', 'Skipped ViewTransition due to document being hidden'],
    ['InvalidStateError', 'Skipping view transition because document visibility state has become hidden.'],
  ])(
    'is no error of the page if it is an aborted load or a skipped view transition: %s, %s',
    (name, message) => {
      expect(isHarmlessRejection(new DOMException(message, name))).toBe(true)
    },
  )

  it.each([
    new DOMException('The transaction is not active.', 'InvalidStateError'),
    new DOMException('Signal timed out.', 'TimeoutError'),
    new DOMException("Duplicate view-transition-name value 'picture'", 'InvalidStateError'),
    new TypeError('View transition update callback timed out.'),
    'AbortError',
    undefined,
  ])('is an error otherwise: %s', (reason) => {
    expect(isHarmlessRejection(reason)).toBe(false)
  })
})
