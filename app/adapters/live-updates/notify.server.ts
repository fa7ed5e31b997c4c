import { sql } from 'kysely'
import type { DatabaseConnection } from '../database/port.ts'
import type { Follower, LiveTopic, LiveUpdates, Topic } from './port.ts'

/** Migrations use this name too, in the triggers that announce a table's changes. */
const CHANNEL = 'jubilee_changes'

/** Long enough for a slow phone to open its stream after its page was rendered. */
const REMEMBERED_MS = 60_000

/** Live updates over the database's LISTEN and NOTIFY: no second service, and never before the commit. */
export async function createLiveUpdates(
  connection: DatabaseConnection,
): Promise<LiveUpdates & { close(): Promise<void> }> {
  const listeners = new Map<LiveTopic, Set<(topic: LiveTopic) => void>>()
  const followers = new Set<Follower>()
  let subscribers = 0
  /** When each topic last changed. Oldest first, since a Map iterates in insertion order. */
  const changedAt = new Map<string, number>()
  let listeningSince = performance.now()
  const remember = (topic: string) => {
    const now = performance.now()
    changedAt.delete(topic)
    changedAt.set(topic, now)
    for (const [oldest, at] of changedAt) {
      if (now - at <= REMEMBERED_MS) break
      changedAt.delete(oldest)
    }
  }
  const tell = (topic: LiveTopic) => {
    for (const listener of listeners.get(topic) ?? []) listener(topic)
  }
  const stop = await connection.listen(CHANNEL, {
    onMessage(payload) {
      remember(payload)
      for (const follower of followers) follower.onChange(payload as Topic)
      tell(payload as LiveTopic)
    },
    onLost() {
      for (const follower of followers) follower.onLost()
    },
    onReconnect() {
      listeningSince = performance.now()
      for (const follower of followers) follower.onReconnect()
      for (const topic of listeners.keys()) tell(topic)
    },
  })
  return {
    async publish(tx, ...topics) {
      const calls = topics.map((topic) => sql`pg_notify(${CHANNEL}, ${topic})`)
      await sql`select ${sql.join(calls)}`.execute(tx)
    },
    mayHaveChanged(topics, withinMs) {
      const since = performance.now() - withinMs
      if (since < listeningSince || withinMs > REMEMBERED_MS) return true
      for (const topic of topics) if ((changedAt.get(topic) ?? 0) > since) return true
      return false
    },
    subscribers: () => subscribers,
    subscribe(topics, onChange) {
      subscribers++
      let isStopped = false
      for (const topic of topics) {
        const set = listeners.get(topic) ?? new Set()
        set.add(onChange)
        listeners.set(topic, set)
      }
      return () => {
        if (!isStopped) subscribers--
        isStopped = true
        for (const topic of topics) {
          const set = listeners.get(topic)
          set?.delete(onChange)
          if (set?.size === 0) listeners.delete(topic)
        }
      }
    },
    follow(follower) {
      followers.add(follower)
    },
    close: stop,
  }
}
