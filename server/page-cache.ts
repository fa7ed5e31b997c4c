import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { LiveUpdates, Topic } from '../app/adapters/live-updates/port.ts'
import { type CachedResponse, cacheResponse } from './cached-response.ts'

/**
 * A safeguard beside the topics: what no topic tells of, such as the year in the footer or a correction on a database
 * without its triggers, is seen after this time.
 */
const MAX_AGE_MS = 600_000

/**
 * Of a page of 100 kB: level 5 makes 14.2 kB in 1.2 ms, level 11 makes 12.3 kB in 99 ms. Pages are dropped too often for
 * that.
 */
const BROTLI_LEVEL = 5
const GZIP_LEVEL = 6

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** A page with the headers of every answer that carries it; without those of its encoding. */
export type RenderedPage = { status: number; headers: Headers; body: Uint8Array<ArrayBuffer> }

/** A page in the form in which it is kept, or one that is only for those who asked while it was rendered. */
export type PageAnswer = { kept: CachedResponse } | ({ kept: null } & RenderedPage)

type CachedPage = { answer: CachedResponse; until: ReadonlySet<Topic>; expiresAt: number }
/** A render on its way, with everything that has changed since it began, by the number of the first change. */
type Render = { until: Set<Topic>; changed: Map<Topic, number>; isVoid: boolean }
type Work = (until: Set<Topic>) => Promise<RenderedPage>

export type PageCache = {
  /** The page, if it is kept and nothing on it has changed. */
  find(key: string): CachedResponse | null
  /**
   * The page, rendered if it is not kept. However many ask meanwhile, it is rendered once.
   * @param work renders it, and adds the topics to `until` whose change makes it another page, before or after it reads
   *   what they are about; without any the page is not kept
   * @returns isNew for the one request that the render began with
   */
  get(key: string, work: Work): Promise<PageAnswer & { isNew: boolean }>
  /** How much is kept now. */
  size(): { pages: number; bytes: number }
}

/**
 * Keeps rendered public pages in memory, compressed, until a topic says that something on them has changed. While
 * changes can't be heard nothing is kept, and every page is rendered; where that fails too, since the database is away,
 * what was kept before is better than an error.
 * @param options.maxBytes what was used least lately makes room; 0 keeps nothing
 */
export function createPageCache(options: {
  maxBytes: number
  liveUpdates: Pick<LiveUpdates, 'follow'>
  now: () => Date
}): PageCache {
  const { now } = options
  const store = createPageStore(options)
  const renders = new Set<Render>()
  /** How many changes were heard. */
  let changes = 0
  /** The renders that a request may still join: nothing that they read has changed since. */
  const joinable = new Map<string, { render: Render; answer: Promise<PageAnswer> }>()
  let hears = true

  const startAnew = () => {
    for (const render of renders) render.isVoid = true
    joinable.clear()
  }

  options.liveUpdates.follow({
    onChange(topic) {
      store.dropTopic(topic)
      changes++
      for (const { changed } of renders) if (!changed.has(topic)) changed.set(topic, changes)
      for (const [key, { render }] of joinable) if (render.until.has(topic)) joinable.delete(key)
    },
    onLost() {
      hears = false
      startAnew()
    },
    onReconnect() {
      hears = true
      store.dropAll()
      startAnew()
    },
  })

  const run = async (key: string, work: Work, render: Render): Promise<PageAnswer> => {
    const expiresAt = now().getTime() + MAX_AGE_MS
    const { status, headers, body } = await work(render.until)
    const before = hears ? null : store.find(key)
    if (status >= 500 && before) return { kept: before }
    if (status !== 200 || render.until.size === 0 || headers.has('set-cookie'))
      return { kept: null, status, headers, body }
    const answer = await compress(headers, body)
    const isOld = render.isVoid || [...render.until].some((topic) => render.changed.has(topic))
    if (!isOld) store.keep(key, { answer, until: render.until, expiresAt })
    return { kept: answer }
  }

  const find = (key: string) => (hears ? store.find(key) : null)

  return {
    find,
    async get(key, work) {
      const kept = find(key)
      if (kept) return { kept, isNew: false }
      const present = joinable.get(key)
      if (present) {
        const joinedAt = changes
        const answer = await present.answer
        if (isOlder(present.render, answer, joinedAt)) return this.get(key, work)
        return { ...answer, isNew: false }
      }
      const render: Render = { until: new Set(), changed: new Map(), isVoid: !hears }
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

/** The pages that are kept, until their topics, their age or the room that they take ends it. */
function createPageStore({ maxBytes, now }: { maxBytes: number; now: () => Date }) {
  /** Least lately used first. */
  const pages = new Map<string, CachedPage>()
  const keysOfTopic = new Map<Topic, Set<string>>()
  let bytes = 0

  const keep = (key: string, page: CachedPage) => {
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
    keep,
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
 * Whether a render may have read something before it changed, while the change was heard before somebody joined. Topics
 * can be named after they joined; a page that isn't kept may name none.
 * @param joinedAt how many changes had been heard by then
 */
function isOlder({ until, changed }: Render, { kept }: PageAnswer, joinedAt: number): boolean {
  return [...changed].some(([topic, at]) => at <= joinedAt && (until.has(topic) || !kept))
}

/** On threads of its own, so that nobody waits for it but who asked. */
async function compress(headers: Headers, body: Uint8Array<ArrayBuffer>): Promise<CachedResponse> {
  const [br, zipped] = await Promise.all([
    compressBrotli(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_LEVEL,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      },
    }),
    compressGzip(body, { level: GZIP_LEVEL }),
  ])
  return cacheResponse(body, Object.fromEntries(headers), { br, gzip: zipped })
}
