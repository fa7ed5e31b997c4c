import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { DatabaseConnection } from '../database/port.ts'
import { createLiveUpdates } from './notify.server.ts'

type Handlers = Parameters<DatabaseConnection['listen']>[1]

/** Live updates without a database, whose notifications the test sends. */
async function aListener() {
  let handlers: Handlers | null = null
  const connection = {
    listen: async (_: string, given: Handlers) => {
      handlers = given
      return async () => {}
    },
  } as unknown as DatabaseConnection
  const liveUpdates = await createLiveUpdates(connection)
  if (!handlers) throw new Error('nobody listens')
  return { liveUpdates, database: handlers as Handlers }
}

let nowMs: number
const pass = (ms: number) => {
  nowMs += ms
}

beforeEach(() => {
  nowMs = 1_000_000
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
})
afterEach(() => vi.restoreAllMocks())

describe('mayHaveChanged', () => {
  it('knows the changes of the last minute, by topic', async () => {
    const { liveUpdates, database } = await aListener()
    pass(50_000)
    database.onMessage('inbox:kim')
    pass(4_000)
    database.onMessage('inbox:lee')
    pass(1_000)
    expect(liveUpdates.mayHaveChanged(['inbox:kim'], 5_001)).toBe(true)
    expect(liveUpdates.mayHaveChanged(['inbox:kim'], 4_999)).toBe(false)
    expect(liveUpdates.mayHaveChanged(['inbox:kim', 'inbox:lee'], 4_999)).toBe(true)
    expect(liveUpdates.mayHaveChanged(['inbox:robin'], 50_000)).toBe(false)
    expect(liveUpdates.mayHaveChanged([], 50_000)).toBe(false)
    // The newest change of a topic counts.
    database.onMessage('inbox:kim')
    expect(liveUpdates.mayHaveChanged(['inbox:kim'], 1)).toBe(true)
  })

  it('returns true where this process can’t know', async () => {
    const { liveUpdates, database } = await aListener()
    pass(10_000)
    expect(liveUpdates.mayHaveChanged(['inbox:kim'], 10_001)).toBe(true)
    expect(liveUpdates.mayHaveChanged(['inbox:kim'], 9_999)).toBe(false)
    pass(100_000)
    expect(liveUpdates.mayHaveChanged(['inbox:kim'], 60_001)).toBe(true)
    expect(liveUpdates.mayHaveChanged(['inbox:kim'], 60_000)).toBe(false)
    database.onLost()
    pass(1_000)
    database.onReconnect()
    pass(1_000)
    expect(liveUpdates.mayHaveChanged(['inbox:kim'], 1_001)).toBe(true)
    expect(liveUpdates.mayHaveChanged(['inbox:kim'], 999)).toBe(false)
  })
})
