import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { cacheResponse } from './cached-response.ts'
import { createPagePost, createPageSharing, machineMs, type SharedPage } from './page-sharing.ts'

const content = Buffer.from('<html>')
const shared: SharedPage = {
  key: '/',
  answer: cacheResponse(content, { 'content-type': 'text/html' }, { br: content }),
  until: new Set(['listings:any']),
  expiresAt: 1,
  beganAt: machineMs(),
}

type Sent = { message: unknown; arrive: () => void }
/** One end of a channel between two processes, without the other. */
class End extends EventEmitter {
  connected = true
  readonly sent: Sent[] = []
  isConnected = () => this.connected
  send = (message: unknown, ...rest: unknown[]) => {
    const done = rest.findLast((one) => typeof one === 'function') as (() => void) | undefined
    this.sent.push({ message, arrive: () => done?.() })
    return true
  }
}

function sharingOf(build = 'one') {
  const parent = new End()
  const received: SharedPage[] = []
  const sharing = createPageSharing(build, parent as unknown as NodeJS.Process)
  sharing.receive((page) => received.push(page))
  return { parent, received, sharing }
}
type Worker = Parameters<ReturnType<typeof createPagePost>>[0]
const asWorker = (end: End) => end as unknown as Worker

describe('the sharing of pages', () => {
  it('sends nothing to a process of an earlier version, which doesn’t pass pages on', () => {
    const { parent, sharing } = sharingOf()
    sharing.send(shared)
    expect(parent.sent).toEqual([])
    const worker = new End()
    createPagePost()(asWorker(worker))
    parent.emit('message', worker.sent[0]?.message)
    sharing.send(shared)
    expect(parent.sent).toHaveLength(1)
  })

  it('takes pages of its own version alone', () => {
    const [one, other, newer] = [sharingOf('one'), sharingOf('one'), sharingOf('two')]
    const worker = new End()
    createPagePost()(asWorker(worker))
    one.parent.emit('message', worker.sent[0]?.message)
    one.sharing.send(shared)
    for (const { parent } of [other, newer]) parent.emit('message', one.parent.sent[0]?.message)
    expect(other.received).toEqual([shared])
    expect(newer.received).toEqual([])
  })

  it('passes a page on to all processes but its own, until they end', () => {
    const workers = [new End(), new End(), new End()]
    const post = createPagePost()
    for (const worker of workers) post(asWorker(worker))
    const message = { build: 'one', page: shared }
    workers[0]?.emit('message', message)
    expect(workers.map(({ sent }) => sent.length - 1)).toEqual([0, 1, 1])
    workers[1]?.emit('exit')
    workers[0]?.emit('message', message)
    workers[0]?.emit('message', 'ready')
    expect(workers.map(({ sent }) => sent.length - 1)).toEqual([0, 1, 2])
  })

  it('passes no more pages on to a process that doesn’t read them', () => {
    const [from, stuck] = [new End(), new End()]
    const post = createPagePost()
    for (const worker of [from, stuck]) post(asWorker(worker))
    for (let count = 0; count < 100; count++) from.emit('message', { build: 'one', page: shared })
    expect(stuck.sent.length - 1).toBe(64)
    stuck.sent[1]?.arrive()
    from.emit('message', { build: 'one', page: shared })
    expect(stuck.sent.length - 1).toBe(65)
  })
})
