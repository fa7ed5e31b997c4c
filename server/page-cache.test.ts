import { beforeEach, describe, expect, it } from 'vitest'
import type { Follower, Topic } from '../app/adapters/live-updates/port.ts'
import { createPageCache, type RenderedPage } from './page-cache.ts'
import { machineMs, type PageSharing, type SharedPage } from './page-sharing.ts'

const MB = 1024 * 1024
const LISTINGS: Topic = 'listings:all'

let follower: Follower
let clock: Date
let renders: string[]

beforeEach(() => {
  clock = new Date('2026-11-20T01:00:00Z')
  renders = []
})

const cacheOf = (maxBytes = MB) =>
  createPageCache({
    maxBytes,
    liveUpdates: {
      follow(given) {
        follower = given
      },
      mayHaveChanged: () => true,
    },
    now: () => clock,
  })

const rendered = (text: string, status = 200, headers = {}): RenderedPage => ({
  status,
  headers: new Headers({ 'content-type': 'text/html', ...headers }),
  body: new Uint8Array(Buffer.from(text)),
})

/** A page that is cached until one of these topics changes. */
const page = (key: string, ...topics: Topic[]) => {
  const work = async (until: Set<Topic>) => {
    for (const topic of topics) until.add(topic)
    renders.push(key)
    return rendered(`page ${key}`)
  }
  return [key, work] as const
}

/** A page whose render waits until the test releases it. */
function slowPage(key: string, topic: Topic) {
  const begun = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const work = async (until: Set<Topic>) => {
    until.add(topic)
    renders.push(key)
    begun.resolve()
    await release.promise
    return rendered(`page ${key}`)
  }
  return { work, begun: begun.promise, release: release.resolve }
}

describe('the page cache', () => {
  it('renders a page once and then finds it', async () => {
    const cache = cacheOf()
    expect(cache.find('/')).toBeNull()
    expect(await cache.get(...page('/', LISTINGS))).toMatchObject({ isNew: true })
    expect(await cache.get(...page('/', LISTINGS))).toMatchObject({ isNew: false })
    expect(cache.find('/')).not.toBeNull()
    expect(renders).toEqual(['/'])
  })

  it('renders a page once for concurrent requests', async () => {
    const cache = cacheOf()
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => cache.get(...page('/', LISTINGS))))
    expect(renders).toEqual(['/'])
    expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(new Set(answers.map(({ cached }) => cached)).size).toBe(1)
  })

  it('drops a page when one of its topics changes, and only then', async () => {
    const cache = cacheOf()
    await cache.get(...page('/a', LISTINGS, 'business:a'))
    await cache.get(...page('/b', LISTINGS, 'business:b'))
    await cache.get(...page('/c', 'business:c'))
    follower.onChange('business:a')
    expect(['/a', '/b', '/c'].filter((key) => cache.find(key))).toEqual(['/b', '/c'])
    follower.onChange('session:somebody')
    follower.onChange(LISTINGS)
    expect(['/a', '/b', '/c'].filter((key) => cache.find(key))).toEqual(['/c'])
    expect(cache.size().pages).toBe(1)
    follower.onChange('business:c')
    expect(cache.size()).toEqual({ pages: 0, bytes: 0 })
  })

  it('neither keeps a page nor shares it with later requests if its topic changes during the render', async () => {
    const cache = cacheOf()
    const old = slowPage('/', LISTINGS)
    const before = cache.get('/', old.work)
    await old.begun
    follower.onChange(LISTINGS)
    const after = cache.get(...page('/', LISTINGS))
    expect((await after).isNew).toBe(true)
    old.release()
    await before
    expect(renders).toEqual(['/', '/'])
    expect(cache.find('/')).toBe((await after).cached)
  })

  it('doesn’t keep a page if a topic changes before its loader names it', async () => {
    const cache = cacheOf()
    const late = cache.get('/', async (until) => {
      follower.onChange(LISTINGS)
      until.add(LISTINGS)
      return rendered('late')
    })
    await late
    expect(cache.find('/')).toBeNull()
  })

  it('doesn’t share a page with requests after a change, even if its loader names the topic later', async () => {
    const cache = cacheOf()
    const begun = Promise.withResolvers<void>()
    const named = Promise.withResolvers<void>()
    const late = (answer: RenderedPage) =>
      cache.get('/', async (until) => {
        begun.resolve()
        await named.promise
        until.add(LISTINGS)
        return answer
      })
    const first = late(rendered('read before the change'))
    await begun.promise
    const joinedBefore = cache.get(...page('/', LISTINGS))
    follower.onChange(LISTINGS)
    const joinedAfter = cache.get('/', async (until) => {
      until.add(LISTINGS)
      return rendered('read after the change')
    })
    named.resolve()
    const [one, two, three] = await Promise.all([first, joinedBefore, joinedAfter])
    expect(two.cached).toBe(one.cached)
    expect(three.cached).not.toBe(one.cached)
    expect(three.cached?.etag).not.toBe(one.cached?.etag)
    expect(cache.find('/')).toBe(three.cached)
  })

  it('doesn’t share a missing page with requests after a change', async () => {
    const cache = cacheOf()
    const slow = Promise.withResolvers<RenderedPage>()
    const absent = cache.get('/business/new', () => slow.promise)
    follower.onChange('business:new')
    const after = cache.get(...page('/business/new', 'business:new'))
    slow.resolve(rendered('not there', 404))
    expect((await absent).cached).toBeNull()
    expect((await after).cached).not.toBeNull()
  })

  it('keeps and shares a page if another topic changes during the render', async () => {
    const cache = cacheOf()
    const slow = slowPage('/', LISTINGS)
    const first = cache.get('/', slow.work)
    await slow.begun
    follower.onChange('session:somebody')
    const second = cache.get(...page('/', LISTINGS))
    slow.release()
    expect((await first).isNew).toBe(true)
    expect((await second).isNew).toBe(false)
    expect(cache.find('/')).toBe((await first).cached)
  })

  it('keeps nothing while changes can’t be received', async () => {
    const cache = cacheOf()
    const slow = slowPage('/slow', LISTINGS)
    const begunBefore = cache.get('/slow', slow.work)
    await slow.begun
    await cache.get(...page('/', LISTINGS))
    follower.onLost()
    expect(cache.find('/')).toBeNull()
    await cache.get(...page('/', LISTINGS))
    expect(cache.find('/')).toBeNull()
    const begunMeanwhile = slowPage('/meanwhile', LISTINGS)
    const meanwhile = cache.get('/meanwhile', begunMeanwhile.work)
    await begunMeanwhile.begun
    follower.onReconnect()
    slow.release()
    begunMeanwhile.release()
    await Promise.all([begunBefore, meanwhile])
    expect(cache.size().pages).toBe(0)
    await cache.get(...page('/', LISTINGS))
    expect(cache.find('/')).not.toBeNull()
  })

  it('serves a stale page only if rendering fails while changes can’t be received', async () => {
    const cache = cacheOf()
    const failing = async () => rendered('no database', 503)
    const { cached } = await cache.get(...page('/', LISTINGS))
    follower.onLost()
    expect((await cache.get('/', failing)).cached).toBe(cached)
    expect((await cache.get('/other', failing)).cached).toBeNull()
    const { cached: fresh } = await cache.get(...page('/', LISTINGS))
    expect(fresh).not.toBe(cached)
    clock = new Date(clock.getTime() + 600_000)
    expect((await cache.get('/', failing)).cached).toBeNull()
    follower.onReconnect()
    await cache.get(...page('/', LISTINGS))
    follower.onLost()
    follower.onReconnect()
    expect((await cache.get('/', failing)).cached).toBeNull()
  })

  it('drops a page after ten minutes', async () => {
    const cache = cacheOf()
    await cache.get(...page('/', LISTINGS))
    clock = new Date(clock.getTime() + 599_999)
    expect(cache.find('/')).not.toBeNull()
    clock = new Date(clock.getTime() + 1)
    expect(cache.find('/')).toBeNull()
    expect(cache.size()).toEqual({ pages: 0, bytes: 0 })
  })

  it.each([
    ['without topics', rendered('x'), []],
    ['that is not found', rendered('x', 404), [LISTINGS]],
    ['that is gone', rendered('x', 410), [LISTINGS]],
    ['that failed', rendered('x', 500), [LISTINGS]],
    ['that redirects', rendered('', 302, { location: '/vendors' }), [LISTINGS]],
    ['with a cookie', rendered('x', 200, { 'set-cookie': 'a=b' }), [LISTINGS]],
  ] as const)('never keeps a page %s', async (_, answer, topics) => {
    const cache = cacheOf()
    const got = await cache.get('/', async (until) => {
      for (const topic of topics) until.add(topic)
      return answer
    })
    expect(got).toMatchObject({ cached: null, status: answer.status, body: answer.body })
    expect(cache.size().pages).toBe(0)
  })

  it('fails for every waiting request, and renders again for the next', async () => {
    const cache = cacheOf()
    const failing = () => cache.get('/', () => Promise.reject(new Error('down')))
    const answers = await Promise.allSettled([failing(), failing()])
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await cache.get(...page('/', LISTINGS))).toMatchObject({ isNew: true })
  })

  it('drops the least recently used page at the size limit', async () => {
    const measure = cacheOf()
    await measure.get(...page('/1', LISTINGS))
    const cache = cacheOf(measure.size().bytes * 3)
    for (const key of ['/1', '/2', '/3']) await cache.get(...page(key, LISTINGS))
    cache.find('/1')
    await cache.get(...page('/4', LISTINGS))
    expect(['/1', '/2', '/3', '/4'].filter((key) => cache.find(key))).toEqual(['/1', '/3', '/4'])
    expect(cache.size().bytes).toBeLessThanOrEqual(measure.size().bytes * 3)
  })

  it('keeps nothing if the size limit is 0', async () => {
    const cache = cacheOf(0)
    await cache.get(...page('/', LISTINGS))
    expect(cache.size()).toEqual({ pages: 0, bytes: 0 })
  })
})

describe('a page of another process', () => {
  /** A process's cache, with the changes that it has received so far. */
  function aProcess(maxBytes = MB) {
    const changedAt = new Map<Topic, number>()
    let listener = (_: SharedPage) => {}
    let own: Follower | undefined
    const sent: SharedPage[] = []
    const sharing: PageSharing = {
      send: (shared) => sent.push(shared),
      receive(given) {
        listener = given
      },
    }
    const cache = createPageCache({
      maxBytes,
      liveUpdates: {
        follow(given) {
          own = given
        },
        mayHaveChanged: (topics, withinMs) =>
          [...topics].some((topic) => (changedAt.get(topic) ?? 0) > machineMs() - withinMs),
      },
      now: () => clock,
      sharing,
    })
    return {
      cache,
      sent,
      receive: (shared: SharedPage) => listener(shared),
      change(topic: Topic) {
        changedAt.set(topic, machineMs())
        own?.onChange(topic)
      },
      follower: () => own as Follower,
    }
  }

  it('needs no render here, and its topics drop it', async () => {
    const [one, other] = [aProcess(), aProcess()]
    await one.cache.get(...page('/', LISTINGS))
    for (const shared of one.sent) other.receive(shared)
    expect(other.cache.find('/')?.etag).toBe(one.cache.find('/')?.etag)
    expect(await other.cache.get(...page('/', LISTINGS))).toMatchObject({ isNew: false })
    expect(renders).toEqual(['/'])
    expect(other.sent).toEqual([])
    other.change(LISTINGS)
    expect(other.cache.find('/')).toBeNull()
  })

  it('counts as stale after a change that the other process may not have received', async () => {
    const [one, other] = [aProcess(), aProcess()]
    await one.cache.get(...page('/a', LISTINGS, 'business:a'))
    await one.cache.get(...page('/b', LISTINGS, 'business:b'))
    other.change('business:a')
    for (const shared of one.sent) other.receive(shared)
    expect(['/a', '/b'].map((key) => other.cache.find(key) !== null)).toEqual([false, true])
  })

  it('goes unused while this process receives no changes', async () => {
    const [one, other] = [aProcess(), aProcess()]
    await one.cache.get(...page('/', LISTINGS))
    other.follower().onLost()
    for (const shared of one.sent) other.receive(shared)
    // The cache shows an older page in place of a failure, but not this one.
    expect((await other.cache.get('/', async () => rendered('down', 500))).cached).toBeNull()
    other.follower().onReconnect()
    expect(other.cache.find('/')).toBeNull()
  })

  it('stays there if it changed during its render, or if the cache is off', async () => {
    const one = aProcess()
    const { work, begun, release } = slowPage('/', LISTINGS)
    const got = one.cache.get('/', work)
    await begun
    one.change(LISTINGS)
    release()
    await got
    const without = aProcess(0)
    await without.cache.get(...page('/', LISTINGS))
    expect([...one.sent, ...without.sent]).toEqual([])
  })

  it('expires when it does in the process that rendered it', async () => {
    const [one, other] = [aProcess(), aProcess()]
    await one.cache.get(...page('/', LISTINGS))
    clock = new Date(clock.getTime() + 599_999)
    for (const shared of one.sent) other.receive(shared)
    expect(other.cache.find('/')).not.toBeNull()
    clock = new Date(clock.getTime() + 1)
    expect(other.cache.find('/')).toBeNull()
  })
})
