import { href } from 'react-router'
import { openEventStream } from '../../../ui/event-stream.ts'

const LOCK = 'jubilee-live'
const CHANNEL = 'jubilee-live'
const ADDRESS = `${href('/api/live')}?subject=notifications`
/** Lets the page load first. The page already includes changes made during this delay. */
const START_DELAY_MS = 1_500

/** 'session' when the stream ended because the session did. */
export type LiveSubject = 'notifications' | 'session'

const followers = new Set<(subject: LiveSubject) => void>()
let stop: (() => void) | null = null

/**
 * Subscribes to changes of the signed-in person's notifications. Of all open tabs, one holds the stream and tells the
 * others: HTTP/1.1 gives a browser six connections to us, and streams must not use them up.
 * @returns unsubscribes
 */
export function followAccount(onChange: (subject: LiveSubject) => void): () => void {
  followers.add(onChange)
  stop ??= start()
  return () => {
    followers.delete(onChange)
    if (followers.size > 0) return
    stop?.()
    stop = null
  }
}

function tell(subject: LiveSubject): void {
  for (const follower of followers) follower(subject)
}

function start(): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = (event) => tell(event.data as LiveSubject)
  const tellAll = (subject: LiveSubject) => {
    tell(subject)
    channel.postMessage(subject)
  }
  const aborted = new AbortController()
  let release = () => {}
  const timer = setTimeout(() => {
    const hold = () =>
      new Promise<void>((resolve) => {
        release = openStream(tellAll, resolve)
      })
    // Without a secure context there are no locks, so each tab has its own stream.
    if (!navigator.locks) void hold()
    else navigator.locks.request(LOCK, { signal: aborted.signal }, hold).catch(() => {})
  }, START_DELAY_MS)
  return () => {
    clearTimeout(timer)
    aborted.abort()
    release()
    channel.close()
  }
}

function openStream(tellAll: (subject: LiveSubject) => void, done: () => void): () => void {
  const close = openEventStream(ADDRESS, {
    probe: href('/api/session'),
    onNews: () => tellAll('notifications'),
    // The session has ended.
    onRefused: () => {
      tellAll('session')
      done()
    },
  })
  return () => {
    close()
    done()
  }
}
