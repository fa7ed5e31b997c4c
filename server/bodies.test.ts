import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BODY_WINDOW_MS, MAX_BODY_BYTES, MIN_BODY_BYTES_PER_WINDOW } from '../app/shared/body-limits.ts'
import { readBody } from './bodies.ts'

/** A body whose chunks a test sends, and temporary files that are kept in memory. */
function aBody(about: { maxBytes?: number; announced?: number | null } = {}) {
  const pieces: Uint8Array[] = []
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null
  const stream = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given
    },
  })
  const read = readBody(
    stream,
    { maxBytes: about.maxBytes ?? 1_000_000, announced: about.announced ?? null },
    {
      async write(chunks) {
        for await (const chunk of chunks) pieces.push(chunk.slice())
        return 'a-file'
      },
    },
  )
  return {
    read,
    pieces,
    send: (bytes: number) => controller?.enqueue(new Uint8Array(bytes).fill(7)),
    end: () => controller?.close(),
    fail: () => controller?.error(new Error('aborted')),
  }
}

describe('a body', () => {
  it.each([0, 1, MAX_BODY_BYTES])('stays in memory with %d bytes', async (bytes) => {
    for (const announced of [null, bytes]) {
      const { read, send, end } = aBody({ announced })
      if (bytes > 0) send(bytes)
      end()
      expect(await read).toEqual({ in: 'memory', bytes: new Uint8Array(bytes).fill(7) })
    }
  })

  it('over 64 kB goes to a file, in pieces of 64 kB however it was sent', async () => {
    const { read, send, end, pieces } = aBody()
    for (let count = 0; count < 2_000; count++) send(100)
    end()
    expect(await read).toEqual({ in: 'file', path: 'a-file' })
    expect(pieces.map(({ byteLength }) => byteLength)).toEqual([
      MAX_BODY_BYTES,
      MAX_BODY_BYTES,
      MAX_BODY_BYTES,
      200_000 - 3 * MAX_BODY_BYTES,
    ])
    expect(pieces.every((piece) => piece.every((byte) => byte === 7))).toBe(true)
  })

  it('fails when it comes in thousands of chunks of a few bytes', async () => {
    const { read, send, end } = aBody()
    for (let count = 0; count < 5_000; count++) send(1)
    end()
    expect(await read).toBe('too many chunks')
  })

  it('fails at its first byte over the limit, or when its sender has gone', async () => {
    const long = aBody({ maxBytes: 100 })
    long.send(101)
    expect(await long.read).toBe('too large')
    const longOnDisk = aBody({ maxBytes: 3 * MAX_BODY_BYTES })
    longOnDisk.send(3 * MAX_BODY_BYTES + 1)
    expect(await longOnDisk.read).toBe('too large')
    const cut = aBody()
    cut.send(10)
    cut.fail()
    expect(await cut.read).toBe('gone')
  })
})

describe('the minimum rate of a body', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('counts each window for itself', async () => {
    const { read, send } = aBody({ maxBytes: 10_000_000 })
    for (let window = 0; window < 5; window++) {
      send(MIN_BODY_BYTES_PER_WINDOW)
      await vi.advanceTimersByTimeAsync(BODY_WINDOW_MS)
    }
    send(MIN_BODY_BYTES_PER_WINDOW - 1)
    await vi.advanceTimersByTimeAsync(BODY_WINDOW_MS)
    expect(await read).toBe('too slow')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('asks nothing of a body that has ended', async () => {
    const { read, send, end } = aBody()
    send(1)
    end()
    expect(await read).toMatchObject({ in: 'memory' })
    expect(vi.getTimerCount()).toBe(0)
  })
})
