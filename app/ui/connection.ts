import { useSyncExternalStore } from 'react'
import { isRouteErrorResponse, useNavigation } from 'react-router'

/** Shown at a form whose request got no response. The request may still have arrived. */
export const SEND_LOST_TEXT =
  'The connection failed, so this may not have reached us. What you filled in is still here. Check your connection and try again.'
/** The reason, as a second sentence after the sentence that names the failure. */
export const CONNECTION_FAILED_TEXT = 'We couldn’t be reached. Check your connection.'
export const SEND_BROKEN_TEXT =
  'Something went wrong on our side. What you filled in is still here. Please try again in a minute.'

/** Statuses of a proxy that has lost its server, and of a server that is overloaded or starting. */
const AWAY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504])
/** The longest refusal that a form shows word for word, in characters. Anything longer is a page. */
const MAX_REFUSAL_LENGTH = 200
const FIRST_RETRY_MS = 2_000
const MAX_RETRY_MS = 30_000

/** A failed submission, as its form shows it. */
export type SendFailure = {
  /** The path of the action. */
  path: string
  fields: FormData
  /** True when the server itself did not respond. */
  isLost: boolean
  text: string
  /** Set by the form that shows it. */
  isShown: boolean
}

/** A load without a response: of the next page, or a refresh of this one. */
export type LostLoad = { wanted: 'next-page' | 'this-page'; attempts: number }

type Connection = { lost: LostLoad | null; failure: SendFailure | null }

const FINE: Connection = { lost: null, failure: null }

// One window has one connection, whichever part of the page notices that it is lost.
let connection = FINE
const listeners = new Set<() => void>()

function change(next: Partial<Connection>): void {
  connection = { ...connection, ...next }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Records that a load got no response. */
export function reportLostLoad(wanted: LostLoad['wanted']): void {
  change({ lost: { wanted, attempts: (connection.lost?.attempts ?? 0) + 1 } })
}

/** Records that the server responds again, or that the wait was given up. */
export function forgetLostLoad(): void {
  if (connection.lost) change({ lost: null })
}

/** Hands a failed submission to the form that it came from. */
export function reportSendFailure(failure: Omit<SendFailure, 'isShown'>): void {
  change({ failure: { ...failure, isShown: false } })
}

/** Removes the last failure: another attempt begins, or another page is shown. */
export function forgetSendFailure(): void {
  if (connection.failure) change({ failure: null })
}

/** The state of the connection, as this page's requests observed it. */
export function useConnection(): Connection {
  return useSyncExternalStore(
    subscribe,
    () => connection,
    () => FINE,
  )
}

/** The navigation that is loading a page; null when there is none or its connection is lost. */
export function useArriving(): Extract<ReturnType<typeof useNavigation>, { state: 'loading' }> | null {
  const navigation = useNavigation()
  const { lost } = useConnection()
  return navigation.state === 'loading' && !lost ? navigation : null
}

/**
 * Whether a load or an action failed because the server itself did not respond: the request failed, the response was
 * cut off, or a proxy responded instead.
 */
export function isConnectionFailure(error: unknown): boolean {
  // React Router keeps the body of a response that is not its own as a string. A screen's own loader throws no string.
  if (isRouteErrorResponse(error)) return AWAY_STATUSES.has(error.status) && typeof error.data === 'string'
  // The server's own errors arrive as plain Errors without a cause: only `fetch` throws a TypeError here, and only a
  // response that could not be decoded has a cause.
  return error instanceof TypeError || (error instanceof Error && error.cause !== undefined)
}

/**
 * The message of a form whose action threw.
 * @returns null for an error that belongs to an error boundary, such as a 404
 */
export function sendFailureOf(error: unknown): Pick<SendFailure, 'isLost' | 'text'> | null {
  if (isConnectionFailure(error)) return { isLost: true, text: SEND_LOST_TEXT }
  if (!isRouteErrorResponse(error)) return { isLost: false, text: SEND_BROKEN_TEXT }
  if (error.status >= 500) return { isLost: false, text: SEND_BROKEN_TEXT }
  const text = typeof error.data === 'string' ? error.data.trim() : ''
  const isSentence = text.endsWith('.') && text.length <= MAX_REFUSAL_LENGTH && !text.startsWith('<')
  // 404 and 405 mean that there is no action to receive the form.
  if (!isSentence || error.status === 404 || error.status === 405) return null
  return { isLost: false, text }
}

/** The delay before the next attempt: doubles from 2 s up to 30 s. */
export function retryDelayMs(attempts: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, attempts - 1), MAX_RETRY_MS)
}

/** Whether the server itself responds at this address, with any status. */
export async function canReach(address: string): Promise<boolean> {
  try {
    const { status } = await fetch(address, { method: 'HEAD', cache: 'no-store', redirect: 'manual' })
    return !AWAY_STATUSES.has(status)
  } catch {
    return false
  }
}
