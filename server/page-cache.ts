import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { LiveUpdates, Topic } from '../app/adapters/live-updates/port.ts'
import { type CachedResponse, cacheResponse } from './cached-response.ts'
import { machineMs, type PageSharing } from './page-sharing.ts'

/**
 * A safeguard in addition to the topics: changes without a topic, such as the year in the footer or a correction made without
 * the database's triggers, become visible after this time.
 */
const MAX_AGE_MS = 600_000

/**
 * For a page of 100 kB, level 5 gives 14.2 kB in 1.2 ms, and level 11 gives 12.3 kB in 99 ms. Pages are dropped too
 * often for level 11.
 */
const BROTLI_LEVEL = 5
/**
 * Brotli's smallest useful window, in bits, for pages that fit into it. Of 49 kB it makes 10.0 kB with either window, in 0.9
 * instead of 1.3 ms: a larger one's tables are memory that the system first has to clear. A list of 135 kB would grow by an eighth.
 */
const SMALL_WINDOW_BITS = 16
/** More than most pages take compressed: each further chunk would be another trip to zlib's thread. */
const CHUNK_BYTES = 65_536

/** Covers the difference between two readings of the clock. */
const CLOCK_MARGIN_MS = 10

const compressBrotli = promisify(brotliCompress)

/** A page with the headers of all its responses, except those of an encoding. */
export type RenderedPage = { status: number; headers: Headers; body: Uint8Array<ArrayBuffer> }

/** A page as a cached response, or an uncacheable one for the requests that joined its render. */
export type PageAnswer = { cached: CachedResponse } | ({ cached: null } & RenderedPage)

type CachedPage = { answer: CachedResponse; until: ReadonlySet<Topic>; expiresAt: number }
/**
 * A render in progress, with the topics that have changed since it began and the number of each one's first change.
 * `beganAt` is by `machineMs`.
 */
type Render = { until: Set<Topic>; changed: Map<Topic, number>; isVoid: boolean; beganAt: number }
type Work = (until: Set<Topic>) => Promise<RenderedPage>

export type PageCache = {
  /** The cached page, if there is one and nothing on it has changed. */
  find(key: string): CachedResponse | null
  /**
   * The page, rendered if it isn't cached. Concurrent requests share one render.
   * @param work renders the page, and adds to `until` the topics whose change makes it outdated, before or after it
   *   reads their data; without topics the page isn't cached
   * @returns isNew for the request that started the render
   */
  get(key: string, work: Work): Promise<PageAnswer & { isNew: boolean }>
  /** The cache's current size. */
  size(): { pages: number; bytes: number }
}

/**
 * Caches rendered public pages in memory, compressed, until a topic announces a change on them. While changes can't be
 * received, no page is cached or served from the cache. But if rendering fails too, because the database is
 * unavailable, the page cached before is better than an error.
 * @param options.maxBytes the size limit, beyond which the least recently used pages are dropped; 0 caches nothing
 * @param options.sharing passes pages between the processes of one port; null for a single process
 */
export function createPageCache(options: {
  maxBytes: number
  liveUpdates: Pick<LiveUpdates, 'follow' | 'mayHaveChanged'>
  now: () => Date
  sharing?: PageSharing | null
}): PageCache {
  const { now, liveUpdates } = options
  const sharing = options.maxBytes > 0 ? options.sharing : null
  const store = createPageStore(options)
  const renders = new Set<Render>()
  /** The number of changes received. */
  let changes = 0
  /** The renders that a request may still join, because none of their topics has changed. */
  const joinable = new Map<string, { render: Render; answer: Promise<PageAnswer> }>()
  let isListening = true

  const voidRenders = () => {
    for (const render of renders) render.isVoid = true
    joinable.clear()
  }

  liveUpdates.follow({
    onChange(topic) {
      store.dropTopic(topic)
      changes++
      for (const { changed } of renders) if (!changed.has(topic)) changed.set(topic, changes)
      for (const [key, { render }] of joinable) if (render.until.has(topic)) joinable.delete(key)
    },
    onLost() {
      isListening = false
      voidRenders()
    },
    onReconnect() {
      isListening = true
      store.dropAll()
      voidRenders()
    },
  })

  sharing?.receive(({ key, answer, until, expiresAt, beganAt }) => {
    if (!isListening || store.find(key)) return
    // The other process may not know yet of a change that this one has already answered with.
    const ageMs = machineMs() - beganAt + CLOCK_MARGIN_MS
    if (!liveUpdates.mayHaveChanged(until, ageMs)) store.add(key, { answer, until, expiresAt })
  })

  const run = async (key: string, work: Work, render: Render): Promise<PageAnswer> => {
    const expiresAt = now().getTime() + MAX_AGE_MS
    const { status, headers, body } = await work(render.until)
    const before = isListening ? null : store.find(key)
    if (status >= 500 && before) return { cached: before }
    if (status !== 200 || render.until.size === 0 || headers.has('set-cookie'))
      return { cached: null, status, headers, body }
    const answer = await compress(headers, body)
    const isOld = render.isVoid || [...render.until].some((topic) => render.changed.has(topic))
    if (!isOld) {
      const { until, beganAt } = render
      store.add(key, { answer, until, expiresAt })
      sharing?.send({ key, answer, until, expiresAt, beganAt })
    }
    return { cached: answer }
  }

  const find = (key: string) => (isListening ? store.find(key) : null)

  return {
    find,
    async get(key, work) {
      const cached = find(key)
      if (cached) return { cached, isNew: false }
      const present = joinable.get(key)
      if (present) {
        const joinedAt = changes
        const answer = await present.answer
        if (isOlder(present.render, answer, joinedAt)) return this.get(key, work)
        return { ...answer, isNew: false }
      }
      const render: Render = {
        until: new Set(),
        changed: new Map(),
        isVoid: !isListening,
        beganAt: machineMs(),
      }
      renders.add(render)
      const answer = run(key, work, render).finally(() => {
        renders.delete(render)
        if (joinable.get(key)?.render === render) joinable.delete(key)
      })
      joinable.set(key, { render, answer })
      return { ...(await answer), isNew: true }
    },
    size: store.size,
  }
}

/** Stores cached pages until a topic, their age or the size limit ends them. */
function createPageStore({ maxBytes, now }: { maxBytes: number; now: () => Date }) {
  /** Least recently used first. */
  const pages = new Map<string, CachedPage>()
  const keysOfTopic = new Map<Topic, Set<string>>()
  let bytes = 0

  const add = (key: string, page: CachedPage) => {
    if (page.answer.bytes > maxBytes) return
    drop(key)
    pages.set(key, page)
    bytes += page.answer.bytes
    for (const topic of page.until) {
      const keys = keysOfTopic.get(topic) ?? new Set()
      keysOfTopic.set(topic, keys.add(key))
    }
    for (const oldest of pages.keys()) {
      if (bytes <= maxBytes) break
      drop(oldest)
    }
  }
  const drop = (key: string) => {
    const page = pages.get(key)
    if (!page) return
    pages.delete(key)
    bytes -= page.answer.bytes
    for (const topic of page.until) {
      const keys = keysOfTopic.get(topic)
      keys?.delete(key)
      if (keys?.size === 0) keysOfTopic.delete(topic)
    }
  }

  const find = (key: string) => {
    const page = pages.get(key)
    if (!page) return null
    if (page.expiresAt <= now().getTime()) {
      drop(key)
      return null
    }
    pages.delete(key)
    pages.set(key, page)
    return page.answer
  }

  return {
    add,
    find,
    dropTopic(topic: Topic) {
      for (const key of keysOfTopic.get(topic) ?? []) drop(key)
    },
    dropAll() {
      for (const key of pages.keys()) drop(key)
    },
    size: () => ({ pages: pages.size, bytes }),
  }
}

/**
 * Whether a render may have read data that changed before a request joined it. The render can name its topics after
 * that, and an uncacheable page may name none, so any change counts for it.
 * @param joinedAt the number of changes received when the request joined
 */
function isOlder({ until, changed }: Render, { cached }: PageAnswer, joinedAt: number): boolean {
  return [...changed].some(([topic, at]) => at <= joinedAt && (until.has(topic) || !cached))
}

/** Compresses a page on zlib's own threads, so that only this request waits. */
async function compress(headers: Headers, body: Uint8Array<ArrayBuffer>): Promise<CachedResponse> {
  const compressed = await compressBrotli(body, {
    chunkSize: CHUNK_BYTES,
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_LEVEL,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_LGWIN]:
        body.length <= 2 ** SMALL_WINDOW_BITS ? SMALL_WINDOW_BITS : constants.BROTLI_DEFAULT_WINDOW,
    },
  })
  // A copy, because zlib's buffer is a part of its whole chunk.
  return cacheResponse(body, Object.fromEntries(headers), { br: Buffer.from(compressed) })
}
