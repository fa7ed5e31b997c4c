import { describe, expect, it } from 'vitest'
import {
  isConnectionFailure,
  retryDelayMs,
  SEND_BROKEN_TEXT,
  SEND_LOST_TEXT,
  sendFailureOf,
} from './connection.ts'

const answered = (status: number, data: unknown = '') => ({ status, statusText: '', internal: false, data })
/** React Router's error for a response that it can't decode. */
const undecodable = new Error('Unable to decode turbo-stream response', { cause: new SyntaxError('cut') })
/** A server error as the browser sees it, without the server's own text. */
const serverError = new Error('Unexpected Server Error')

describe('the error of a load or an action', () => {
  it.each([
    ['a request that failed', new TypeError('Failed to fetch')],
    ['a response that was cut off', undecodable],
    ['a proxy that has lost its server', answered(502, '<h1>Bad gateway</h1>')],
    ['an overloaded server', answered(503, '<h1>Back in a moment</h1>')],
    ['a proxy that timed out', answered(504)],
  ])('counts as a connection failure after %s', (_, error) => {
    expect(isConnectionFailure(error)).toBe(true)
    expect(sendFailureOf(error)).toEqual({ isLost: true, text: SEND_LOST_TEXT })
  })

  it.each([
    ['a server bug', serverError],
    ['a status of 500', answered(500)],
    ['a 503 from the screen’s own loader', answered(503, null)],
    ['a missing page', answered(404)],
    ['a refusal', answered(413, 'This is too large to send.')],
    ['no error', undefined],
  ])('does not count as a connection failure after %s', (_, error) => {
    expect(isConnectionFailure(error)).toBe(false)
  })

  it('shows a general message for a server error, and the server’s own message for a refusal', () => {
    expect(sendFailureOf(serverError)).toEqual({ isLost: false, text: SEND_BROKEN_TEXT })
    expect(sendFailureOf(answered(500, '<h1>Error</h1>'))).toEqual({ isLost: false, text: SEND_BROKEN_TEXT })
    expect(sendFailureOf(answered(413, ' This is too large to send. '))).toEqual({
      isLost: false,
      text: 'This is too large to send.',
    })
  })

  it.each([
    ['is a whole page', answered(400, '<!doctype html><h1>No</h1>')],
    ['is empty', answered(400, '')],
    ['is not text', answered(400, null)],
    ['has more than 200 characters', answered(400, `${'x'.repeat(200)}.`)],
    ['is no sentence', answered(400, 'Bad Request')],
    ['is a missing page', answered(404, 'Not found')],
    ['comes from a route without an action', answered(405, 'Error: You made a POST request')],
  ])('is left to the error page when the refusal %s', (_, error) => {
    expect(sendFailureOf(error)).toBeNull()
  })
})

describe('the delay before the next attempt', () => {
  it('doubles from 2 s up to 30 s', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 50].map(retryDelayMs)).toEqual([
      2_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000,
    ])
  })
})
