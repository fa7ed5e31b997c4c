import type { Worker } from 'node:cluster'
import type { Topic } from '../app/adapters/live-updates/port.ts'
import type { CachedResponse } from './cached-response.ts'

/** A page that another process has rendered. */
export type SharedPage = {
  key: string
  answer: CachedResponse
  until: ReadonlySet<Topic>
  /** In Unix time, in ms. */
  expiresAt: number
  /** When its render began, before it read any data, by `machineMs`. */
  beganAt: number
}

/** The pages of the other processes that share this process's port (docs/decisions/0059-processes-share-pages.md). */
export type PageSharing = {
  /** Passes a page on. It may not arrive: the others then render the page themselves. */
  send(page: SharedPage): void
  receive(listener: (page: SharedPage) => void): void
}

/** Tells a process that its parent passes pages on, which one of an earlier version doesn't. */
const TAKES_PAGES = 'takes pages'
/** Pages on their way to one process, some 20 kB each. A process that doesn't read them gets no more. */
const MAX_ON_THE_WAY = 64

type Message = { build: string; page: SharedPage }

/** The monotonic time in ms, by a clock that all processes of this machine share. */
export const machineMs = () => Number(process.hrtime.bigint()) / 1e6

/**
 * Shares pages with the other processes through the process that started them all.
 * @param build identifies the version: for a moment, processes of two versions run side by side
 * @param parent this process's channel to its parent process
 */
export function createPageSharing(
  build: string,
  parent: Pick<NodeJS.Process, 'on' | 'send' | 'connected'> = process,
): PageSharing {
  const listeners: ((page: SharedPage) => void)[] = []
  let isTaken = false
  let onTheWay = 0
  parent.on('message', (message: unknown) => {
    if (message === TAKES_PAGES) isTaken = true
    if (!isPage(message) || message.build !== build) return
    const { page } = message
    const { br } = page.answer
    // The buffer is a view of all that was read from the channel at once.
    const answer = { ...page.answer, br: br && { ...br, body: Buffer.from(br.body) } }
    for (const listener of listeners) listener({ ...page, answer })
  })
  return {
    send(page) {
      if (!isTaken || !parent.connected || onTheWay >= MAX_ON_THE_WAY) return
      onTheWay++
      const message: Message = { build, page: { ...page, answer: { ...page.answer, gzip: null } } }
      parent.send?.(message, undefined, {}, () => {
        onTheWay--
      })
    },
    receive(listener) {
      listeners.push(listener)
    },
  }
}

type Other = Pick<Worker, 'on' | 'send' | 'isConnected'>

/**
 * Passes the pages of each process on to the others, in the process that started them.
 * @returns adds a process that serves
 */
export function createPagePost(): (worker: Other) => void {
  const onTheWay = new Map<Other, number>()
  const add = (worker: Other, count: number) => {
    const present = onTheWay.get(worker)
    if (present !== undefined) onTheWay.set(worker, present + count)
  }
  return (worker) => {
    onTheWay.set(worker, 0)
    worker.on('exit', () => onTheWay.delete(worker))
    worker.on('message', (message: unknown) => {
      if (!isPage(message)) return
      for (const [other, count] of onTheWay) {
        if (other === worker || count >= MAX_ON_THE_WAY || !other.isConnected()) continue
        add(other, 1)
        other.send(message, () => add(other, -1))
      }
    })
    worker.send(TAKES_PAGES)
  }
}

function isPage(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && 'page' in message && 'build' in message
}
