import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type AlbumPicture, type AlbumStep, applyStep } from '../album-rules.ts'
import {
  type AlbumClient,
  type AlbumPorts,
  createAlbumClient,
  type FileAnswer,
  type StepAnswer,
  type UnsentStep,
  uploadHoldUp,
} from './album-client.ts'
import { createLiveAlbums } from './live-album-client.ts'

const picture = (url: string): AlbumPicture => ({
  url,
  width: 12,
  height: 8,
  colour: '#fff',
  caption: '',
  alt: '',
})
const START = ['a', 'b', 'c'].map(picture)
const move = (url: string, after: string | null): AlbumStep => ({ kind: 'move', url, after })

/** A server whose album other tabs can change, and whose connection can be cut. */
function aServer(album = START) {
  const server = {
    album: [...album],
    isReached: true,
    steps: [] as AlbumStep[],
    refusal: null as StepAnswer,
    uploads: [] as { name: string; end: (answer: FileAnswer) => void }[],
    kept: [] as readonly UnsentStep[],
    refused: [] as string[],
  }
  const ports: AlbumPorts = {
    async sendStep(step) {
      await Promise.resolve()
      if (!server.isReached) return null
      if (server.refusal) return server.refusal
      server.steps.push(step)
      server.album = applyStep(server.album, step, step.kind === 'add' ? picture(step.url) : null)
      return { ok: true, album: server.album }
    },
    sendFile: (file) =>
      new Promise((end) => {
        server.uploads.push({ name: file.name, end })
      }),
    keep: (unsent) => {
      server.kept = unsent
    },
    onRefused: (text) => server.refused.push(text),
    preview: (file) => `blob:${file.name}`,
    forget: () => {},
  }
  return { server, ports }
}
const urlsOf = (client: AlbumClient) =>
  client
    .state()
    .pictures.map(({ url }) => url)
    .join('')
function stage(album = START) {
  const { server, ports } = aServer(album)
  const client = createAlbumClient(album, ports)
  client.open([])
  return { server, client, shown: () => urlsOf(client) }
}
/** Two screens of one listing in one tab, one after another. */
function aTab() {
  const { server, ports } = aServer()
  const told: boolean[] = []
  const albums = createLiveAlbums({ onUnsent: (isUnsent) => told.push(isUnsent) })
  const enter = () => {
    const client = albums.clientOf('1:2', server.album, ports)
    return { client, leave: albums.enter('1:2', client, () => server.kept) }
  }
  return { server, enter, isUnsent: () => told.at(-1) }
}
const file = (name: string) => ({ name }) as File
const settle = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('the steps of an album', () => {
  it('show at once and go to the server one after another', async () => {
    const { server, client, shown } = stage()
    client.push(move('c', null))
    client.push({ kind: 'remove', url: 'a' })
    expect(shown()).toBe('cb')
    expect(client.state().isSaving).toBe(true)
    await settle()
    expect(server.steps).toHaveLength(2)
    expect(client.state()).toMatchObject({ isSaving: false, holdUp: null })
    expect(server.kept).toEqual([])
  })

  it('survive a lost connection in their order, and are sent again without a press', async () => {
    const { server, client, shown } = stage()
    server.isReached = false
    client.push(move('c', null))
    client.push({ kind: 'describe', url: 'b', caption: 'Tab' })
    await settle()
    expect(client.state().holdUp).toBe('offline')
    expect(shown()).toBe('cab')
    expect(server.kept).toHaveLength(2)
    server.isReached = true
    await vi.advanceTimersByTimeAsync(2_000)
    expect(server.steps.map(({ kind }) => kind)).toEqual(['move', 'describe'])
    expect(client.state().holdUp).toBeNull()
  })

  it('wait longer with each failure, 30 seconds at most', async () => {
    const { server, client } = stage()
    server.isReached = false
    client.push(move('c', null))
    await settle()
    for (const seconds of [2, 4, 8, 16, 30, 30]) {
      server.isReached = false
      await vi.advanceTimersByTimeAsync(seconds * 1_000 - 1)
      expect(server.steps).toEqual([])
      await vi.advanceTimersByTimeAsync(1)
    }
    server.isReached = true
    client.retry()
    await settle()
    expect(server.steps).toHaveLength(1)
  })

  it('stay in the tab, and the next page sends them first', async () => {
    const first = stage()
    first.server.isReached = false
    first.client.push(move('c', null))
    await settle()
    const second = stage()
    second.client.open(first.server.kept)
    expect(second.shown()).toBe('cab')
    await settle()
    expect(second.server.steps).toEqual([move('c', null)])
  })

  it('take in what another tab has done meanwhile', async () => {
    const { server, client, shown } = stage()
    server.album = applyStep(server.album, move('b', null), null)
    client.push(move('c', null))
    await settle()
    expect(shown()).toBe('cba')
  })

  it('don’t block the following ones when the server refuses one, and say so', async () => {
    const { server, client } = stage()
    server.refusal = { ok: false, reason: 'full' }
    client.push({ kind: 'add', url: 'x', caption: '', alt: '' }, picture('x'))
    await settle()
    expect(server.refused).toEqual(['The album is full: it holds 30 pictures.'])
    expect(client.state().pictures).toHaveLength(3)
    server.refusal = null
    client.push(move('c', null))
    await settle()
    expect(server.steps).toHaveLength(1)
  })

  it.each(['signed_out', 'too_often'] as const)('wait if the answer is %s', async (reason) => {
    const { server, client } = stage()
    server.refusal = { ok: false, reason }
    client.push(move('c', null))
    await settle()
    expect(client.state()).toMatchObject({ holdUp: reason, isSaving: true })
    expect(server.kept).toHaveLength(1)
    server.refusal = null
    client.retry()
    await settle()
    expect(client.state()).toMatchObject({ holdUp: null, isSaving: false })
  })

  it('become one step if they are texts of one picture, typed without a connection', async () => {
    const { server, client } = stage()
    server.isReached = false
    client.push(move('c', null))
    client.push({ kind: 'describe', url: 'a', caption: 'T' })
    client.push({ kind: 'describe', url: 'a', caption: 'Tent', alt: 'A tent' })
    expect(server.kept).toHaveLength(2)
    server.isReached = true
    client.retry()
    await settle()
    expect(server.steps.at(-1)).toEqual({ kind: 'describe', url: 'a', caption: 'Tent', alt: 'A tent' })
  })
})

describe('the uploads of an album', () => {
  it('run two at a time and are added as they end', async () => {
    const { server, client, shown } = stage()
    client.addFiles([file('1.jpg'), file('2.jpg'), file('3.jpg')])
    expect(server.uploads.map(({ name }) => name)).toEqual(['1.jpg', '2.jpg'])
    server.uploads[1]?.end({ ok: true, picture: picture('x') })
    await settle()
    expect(shown()).toBe('abcx')
    expect(server.uploads).toHaveLength(3)
    expect(client.state().uploads.map(({ fileName }) => fileName)).toEqual(['1.jpg', '3.jpg'])
  })

  const OFFLINE: FileAnswer = { ok: false, reason: 'unreached', holdUp: 'offline' }
  const five = ['1', '2', '3', '4', '5'].map((name) => file(`${name}.jpg`))

  it('start again by themselves if nothing was reached, one of them first', async () => {
    const { server, client } = stage()
    client.addFiles(five)
    for (const { end } of server.uploads) end(OFFLINE)
    await settle()
    expect(client.state().holdUp).toBe('offline')
    expect(client.state().uploads.map(({ state }) => state)).toEqual(five.map(() => 'waiting'))
    await vi.advanceTimersByTimeAsync(1_999)
    expect(server.uploads).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(server.uploads.map(({ name }) => name)).toEqual(['1.jpg', '2.jpg', '1.jpg'])
    server.uploads[2]?.end({ ok: true, picture: picture('x') })
    await settle()
    expect(client.state().holdUp).toBeNull()
    expect(server.uploads).toHaveLength(5)
  })

  it('say nothing of a lost connection once all that waited for it is left out', async () => {
    const { server, client } = stage()
    client.addFiles(five)
    for (const { end } of server.uploads) end(OFFLINE)
    await settle()
    client.dropUploads()
    expect(client.state()).toMatchObject({ holdUp: null, uploads: [] })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(server.uploads).toHaveLength(2)
  })

  it('end the wait with any answer, and wait for a press once they are refused', async () => {
    const { server, client } = stage()
    client.addFiles([file('1.jpg'), file('2.jpg')])
    server.uploads[0]?.end(OFFLINE)
    await settle()
    expect(client.state().holdUp).toBe('offline')
    server.uploads[1]?.end({ ok: false, reason: 'unreadable', holdUp: null })
    await settle()
    expect(client.state().holdUp).toBeNull()
    expect(server.uploads.map(({ name }) => name)).toEqual(['1.jpg', '2.jpg', '1.jpg'])
    const [, refused] = client.state().uploads
    expect(refused).toMatchObject({ state: 'failed', reason: 'unreadable' })
    client.retryUpload(refused?.id ?? '')
    expect(server.uploads).toHaveLength(4)
  })

  it('wait a minute if they were too many, whatever another one is answered', async () => {
    const { server, client } = stage()
    client.addFiles([file('1.jpg'), file('2.jpg'), file('3.jpg')])
    server.uploads[0]?.end({ ok: false, reason: 'too often', holdUp: 'too_often' })
    await settle()
    server.uploads[1]?.end({ ok: true, picture: picture('x') })
    await vi.advanceTimersByTimeAsync(59_999)
    expect(client.state().holdUp).toBe('too_often')
    expect(server.uploads).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(server.uploads).toHaveLength(3)
  })

  it.each([
    [null, 'offline'],
    [{ status: 503, body: null }, 'offline'],
    [{ status: 429, body: { reason: 'too_often' } }, 'too_often'],
    [{ status: 429, body: { reason: 'too_many_at_once' } }, 'too_often'],
    [{ status: 429, body: { reason: 'too_many_today' } }, null],
    [{ status: 400, body: { reason: 'not_an_image' } }, null],
  ])('after %o wait for %s', (sent, holdUp) => {
    expect(uploadHoldUp(sent)).toBe(holdUp)
  })

  it('don’t add a picture that was taken back', async () => {
    const { server, client, shown } = stage()
    client.addFiles([file('1.jpg')])
    client.dropUpload(client.state().uploads[0]?.id ?? '')
    server.uploads[0]?.end({ ok: true, picture: picture('x') })
    await settle()
    expect(shown()).toBe('abc')
    expect(client.state().uploads).toEqual([])
  })
})

describe('an album whose screen is left', () => {
  it('goes on sending, retries included', async () => {
    const { server, enter, isUnsent } = aTab()
    const { client, leave } = enter()
    client.push(move('c', null))
    client.push({ kind: 'remove', url: 'a' })
    server.isReached = false
    leave()
    // A field sends the rest of its text as its screen ends.
    client.push({ kind: 'describe', url: 'b', caption: 'Tab' })
    await settle()
    expect(isUnsent()).toBe(true)
    server.isReached = true
    await vi.advanceTimersByTimeAsync(2_000)
    expect(server.steps.map(({ kind }) => kind)).toEqual(['move', 'remove', 'describe'])
    expect(server.kept).toEqual([])
    expect(isUnsent()).toBe(false)
  })

  it('is the same one for the screen that comes back, so no step is sent twice', async () => {
    const { server, enter } = aTab()
    const first = enter()
    first.client.push(move('c', null))
    first.client.push({ kind: 'remove', url: 'a' })
    first.leave()
    const second = enter()
    expect(urlsOf(second.client)).toBe('cb')
    second.client.push(move('b', null))
    await settle()
    expect(server.steps.map(({ kind }) => kind)).toEqual(['move', 'remove', 'move'])
    expect(urlsOf(second.client)).toBe('bc')
    expect(server.kept).toEqual([])
  })

  it('is read anew some time after all was sent, and not while a screen shows it', async () => {
    const { server, enter } = aTab()
    const first = enter()
    first.leave()
    await vi.advanceTimersByTimeAsync(5_000)
    const second = enter()
    await vi.advanceTimersByTimeAsync(20_000)
    server.album = applyStep(server.album, move('c', null), null)
    const third = enter()
    expect(urlsOf(third.client)).toBe('abc')
    second.leave()
    third.leave()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(urlsOf(enter().client)).toBe('cab')
  })

  it('leaves out the files on their way, of which the screen warns', async () => {
    const { server, enter } = aTab()
    const { client, leave } = enter()
    client.addFiles([file('1.jpg')])
    leave()
    server.uploads[0]?.end({ ok: true, picture: picture('x') })
    await settle()
    expect(server.steps).toEqual([])
    expect(client.state().uploads).toEqual([])
  })
})
