import { href } from 'react-router'
import { openEventStream } from '../../../ui/event-stream.ts'

const LOCK = 'jubilee-live'
const CHANNEL = 'jubilee-live'
const ADDRESS = `${href('/api/live')}?subject=notifications`
/** Lets the page load first. The server reports changes made during this delay. */
const START_DELAY_MS = 1_500

/** 'session' when the stream ended because the session did. */
export type LiveSubject = 'notifications' | 'session'

const followers = new Set<(subject: LiveSubject) => void>()
let stop: (() => void) | null = null
/** By `performance.now()`. */
let toldAt = -1

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

/** Whether a change was reported since a moment, by `performance.now()`: to a page that begins to listen later. */
export function wasToldSince(moment: number): boolean {
  return toldAt > moment
}

function tell(subject: LiveSubject): void {
  toldAt = performance.now()
  for (const follower of followers) follower(subject)
}

function start(): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  let holdsStream = false
  // A number is a new tab's greeting: when its document was asked for. It may have missed a change since.
  channel.onmessage = ({ data }: MessageEvent<LiveSubject | number>) => {
    if (typeof data !== 'number') tell(data)
    else if (holdsStream && performance.timeOrigin + toldAt > data) channel.postMessage('notifications')
  }
  channel.postMessage(performance.timeOrigin)
  const tellAll = (subject: LiveSubject) => {
    tell(subject)
    channel.postMessage(subject)
  }
  const aborted = new AbortController()
  let release = () => {}
  const timer = setTimeout(() => {
    const hold = () =>
      new Promise<void>((resolve) => {
        holdsStream = true
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
    askedAt: 0,
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
