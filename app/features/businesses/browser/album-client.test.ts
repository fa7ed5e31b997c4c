import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type AlbumPicture, type AlbumStep, applyStep } from '../album-rules.ts'
import { createAlbumClient, type FileAnswer, type StepAnswer, type UnsentStep } from './album-client.ts'

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
function stage(album = START) {
  const server = {
    album: [...album],
    isReached: true,
    steps: [] as AlbumStep[],
    refusal: null as StepAnswer,
    uploads: [] as { name: string; end: (answer: FileAnswer) => void }[],
    kept: [] as readonly UnsentStep[],
    refused: [] as string[],
  }
  const client = createAlbumClient(album, {
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
  })
  client.open([])
  const shown = () =>
    client
      .state()
      .pictures.map(({ url }) => url)
      .join('')
  return { server, client, shown }
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
    first.client.close()
    const second = stage()
    second.client.open(first.server.kept)
    expect(second.shown()).toBe('cab')
    await settle()
    expect(second.server.steps).toEqual([move('c', null)])
  })

  it('leave nothing for the next page once they are answered, even after the page was left', async () => {
    const { server, client } = stage()
    client.push(move('c', null))
    client.close()
    await settle()
    expect(server.steps).toHaveLength(1)
    expect(server.kept).toEqual([])
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

  it('start again by themselves if nothing was reached, and at a press if they were refused', async () => {
    const { server, client } = stage()
    client.addFiles([file('1.jpg'), file('2.jpg')])
    server.uploads[0]?.end({ ok: false, reason: 'unreached', isOffline: true })
    server.uploads[1]?.end({ ok: false, reason: 'unreadable', isOffline: false })
    await settle()
    expect(client.state().holdUp).toBe('offline')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(server.uploads.map(({ name }) => name)).toEqual(['1.jpg', '2.jpg', '1.jpg'])
    const [, refused] = client.state().uploads
    client.retryUpload(refused?.id ?? '')
    expect(server.uploads).toHaveLength(4)
    server.uploads[2]?.end({ ok: true, picture: picture('x') })
    await settle()
    expect(client.state().holdUp).toBeNull()
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
