import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { describe, expect, it } from 'vitest'

const ORIGIN = 'https://jubilee.example'
const SCRIPT = readFileSync(new URL('../../../public/push-worker.js', import.meta.url), 'utf8')

type Shown = { title: string; body: string; tag: string; data: { href: string } }
type Handler = (event: object) => void

/** Runs the worker's script as a browser would, with pages that are open. */
function startWorker(pages: string[] = []) {
  const handlers = new Map<string, Handler>()
  const shown: Shown[] = []
  const went: string[] = []
  const worker = {
    location: { origin: ORIGIN },
    addEventListener: (name: string, handler: Handler) => handlers.set(name, handler),
    skipWaiting: () => {},
    registration: {
      showNotification: async (title: string, options: Omit<Shown, 'title'>) => {
        shown.push({ title, ...options })
      },
    },
    clients: {
      matchAll: async () => pages.map((url) => ({ url, focus: async () => went.push(`focus ${url}`) })),
      openWindow: async (href: string) => went.push(`open ${href}`),
    },
  }
  runInContext(SCRIPT, createContext({ self: worker, URL, Object, String }))
  async function dispatch(name: string, event: object) {
    let work: Promise<unknown> = Promise.resolve()
    handlers.get(name)?.({ ...event, waitUntil: (until: Promise<unknown>) => (work = until) })
    await work
  }
  return {
    handlers,
    shown,
    went,
    pushes: (text: string | null) =>
      dispatch('push', { data: text === null ? null : { json: () => JSON.parse(text) } }),
    presses: (href: string) =>
      dispatch('notificationclick', { notification: { close: () => went.push('closed'), data: { href } } }),
  }
}

describe('the worker', () => {
  it.each([
    ['booking', '/dashboard/bookings', 'New booking', 'A customer has booked and paid.'],
    ['message', '/dashboard/inbox/a', 'New message', 'A customer has written to you.'],
  ])('shows a new %s', async (kind, link, title, body) => {
    const { pushes, shown } = startWorker()
    await pushes(JSON.stringify({ kind, link }))
    expect(shown).toMatchObject([{ title, body, data: { href: ORIGIN + link } }])
  })

  it('shows one notification of one thing', async () => {
    const { pushes, shown } = startWorker()
    for (const link of ['/dashboard/inbox/a', '/dashboard/inbox/a', '/dashboard/inbox/b'])
      await pushes(JSON.stringify({ kind: 'message', link }))
    expect(new Set(shown.map(({ tag }) => tag)).size).toBe(2)
  })

  it.each([
    ['another site', '{"kind":"booking","link":"https://elsewhere.example/login"}'],
    ['another site without its scheme', '{"kind":"booking","link":"//elsewhere.example"}'],
    ['a script', '{"kind":"booking","link":"javascript:alert(1)"}'],
    ['nothing', '{"kind":"constructor"}'],
    ['no JSON', 'oops'],
    ['no data', null],
  ])('leads to the dashboard for a link to %s', async (_, text) => {
    const { pushes, shown } = startWorker()
    await pushes(text)
    expect(shown).toHaveLength(1)
    const href = shown[0]?.data.href ?? ''
    expect(new URL(href).origin).toBe(ORIGIN)
  })

  it('shows something for a kind that it doesn’t know, as browsers demand', async () => {
    const { pushes, shown } = startWorker()
    await pushes('{"kind":"constructor","link":"/dashboard"}')
    expect(shown[0]?.title).toBe('News of your business')
  })

  it('opens the page that a pressed notification is about, or shows it where it is open', async () => {
    const href = `${ORIGIN}/dashboard/bookings`
    const closed = startWorker([`${ORIGIN}/`])
    await closed.presses(href)
    expect(closed.went).toEqual(['closed', `open ${href}`])
    const open = startWorker([`${ORIGIN}/`, href])
    await open.presses(href)
    expect(open.went).toEqual(['closed', `focus ${href}`])
  })

  it('listens to nothing that a page asks for', () => {
    expect([...startWorker().handlers.keys()].sort()).toEqual(['install', 'notificationclick', 'push'])
  })
})
