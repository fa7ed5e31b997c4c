import { connect, createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { freePort } from '../../../tests/free-port.ts'
import { findPostgres, startPostgres } from '../../../tests/postgres.ts'
import { openPostgres } from './postgres.server.ts'

const programs = findPostgres()
if (!programs)
  process.stdout.write('No PostgreSQL server on this machine: lost connections are not tested.\n')

it.skipIf(!programs)('PostgreSQL reports when a LISTEN connection is lost and when it is back', async () => {
  const cluster = await startPostgres(programs ?? '')
  // The test breaks the connection twice.
  const connection = openPostgres(cluster.url, () => {})
  const heard: string[] = []
  const stop = await connection.listen('changes', {
    onMessage: (payload) => heard.push(payload),
    onLost: () => heard.push('lost'),
    onReconnect: () => heard.push('back'),
  })
  const notify = (text: string) => sql`select pg_notify('changes', ${text})`.execute(connection.db)
  const breakIt = () =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen "changes"'`.execute(
      connection.db,
    )
  try {
    await notify('one')
    await expect.poll(() => heard).toEqual(['one'])
    await breakIt()
    await expect.poll(() => heard, { timeout: 10_000 }).toEqual(['one', 'lost', 'back'])
    await notify('two')
    await expect.poll(() => heard).toEqual(['one', 'lost', 'back', 'two'])
    await breakIt()
    await expect
      .poll(() => heard, { timeout: 10_000 })
      .toEqual(['one', 'lost', 'back', 'two', 'lost', 'back'])
  } finally {
    await stop()
    await connection.close()
    cluster.stop()
  }
})

it.skipIf(!programs)('PostgreSQL has no connection left after close, even if only a script ran', async () => {
  const cluster = await startPostgres(programs ?? '')
  const watcher = openPostgres(cluster.url, () => {})
  const others = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid()`.execute(watcher.db)
    return rows[0]?.count
  }
  try {
    const connection = openPostgres(cluster.url, () => {})
    await connection.executeScript('select 1')
    expect(await others()).toBe(1)
    await connection.close()
    await expect.poll(others).toBe(0)
  } finally {
    await watcher.close()
    cluster.stop()
  }
})

it.skipIf(!programs)('PostgreSQL discards a connection with an aborted transaction', async () => {
  const cluster = await startPostgres(programs ?? '')
  const connection = openPostgres(cluster.url, () => {})
  try {
    // When two processes create the job queue's tables at once, one of them fails and continues.
    const second = connection.openSecondPool(1)
    await expect(second.query('begin; select 1 / 0; commit')).rejects.toThrow('division by zero')
    expect((await second.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  } finally {
    await connection.close()
    cluster.stop()
  }
})

it.skipIf(!programs)(
  'PostgreSQL serves a crowd of hundreds and refuses the rest immediately',
  async () => {
    const cluster = await startPostgres(programs ?? '')
    const connection = openPostgres(cluster.url, () => {})
    const ask = (count: number) =>
      Promise.allSettled(
        Array.from({ length: count }, () => sql`select pg_sleep(0.01)`.execute(connection.db)),
      )
    const outcomesOf = (answers: PromiseSettledResult<unknown>[]) =>
      answers.map((one) => (one.status === 'rejected' ? (one.reason as Error).name : 'answered'))
    try {
      expect(new Set(outcomesOf(await ask(400)))).toEqual(new Set(['answered']))
      expect(new Set(outcomesOf(await ask(800)))).toEqual(new Set(['answered', 'DatabaseBusy']))
    } finally {
      await connection.close()
      cluster.stop()
    }
  },
  60_000,
)

it.skipIf(!programs)(
  'PostgreSQL uses no parallel workers and no JIT unless the address sets them',
  async () => {
    const cluster = await startPostgres(programs ?? '')
    const settings = async (url: string) => {
      const connection = openPostgres(url, () => {})
      try {
        const { rows } = await sql<{ helpers: string; jit: string; page: string }>`
        select current_setting('max_parallel_workers_per_gather') as helpers, current_setting('jit') as jit,
            current_setting('random_page_cost') as page`.execute(connection.db)
        return rows[0]
      } finally {
        await connection.close()
      }
    }
    try {
      expect(await settings(cluster.url)).toEqual({ helpers: '0', jit: 'off', page: '1.1' })
      expect(await settings(`${cluster.url}?options=-c%20jit%3Don`)).toEqual({
        helpers: '2',
        jit: 'on',
        page: '4',
      })
    } finally {
      cluster.stop()
    }
  },
)

it.skipIf(!programs)(
  'PostgreSQL errors have the caller’s stack, and queries work with and without parameters',
  async () => {
    const cluster = await startPostgres(programs ?? '')
    const connection = openPostgres(cluster.url, () => {})
    try {
      const failed = await sql`select * from nowhere`.execute(connection.db).catch((error: Error) => error)
      expect(failed).toMatchObject({ code: '42P01' })
      expect(String((failed as Error).stack)).toContain('postgres.test.ts')
      const second = connection.openSecondPool(1)
      expect((await second.query('select 1 as one')).rows).toEqual([{ one: 1 }])
      expect((await second.query('select $1::int as two', [2])).rows).toEqual([{ two: 2 }])
    } finally {
      await connection.close()
      cluster.stop()
    }
  },
)

it.skipIf(!programs)('PostgreSQL gives up a connection without answers and opens another', async () => {
  const cluster = await startPostgres(programs ?? '')
  const { port } = new URL(cluster.url)
  const sockets: Socket[] = []
  const proxy = createServer((socket) => {
    const onward = connect(Number(port), '127.0.0.1')
    socket.pipe(onward).pipe(socket)
    for (const each of [socket, onward]) each.on('error', () => {})
    sockets.push(socket, onward)
  })
  const proxyPort = await freePort()
  await new Promise<void>((resolve) => proxy.listen(proxyPort, '127.0.0.1', resolve))
  let unavailable = 0
  const connection = openPostgres(cluster.url.replace(port, String(proxyPort)), () => {}, {
    areStatementsLimited: true,
    onUnavailable: () => {
      unavailable += 1
    },
  })
  const ask = () => sql<{ one: number }>`select 1 as one`.execute(connection.db)
  try {
    expect((await ask()).rows).toEqual([{ one: 1 }])
    for (const socket of sockets) socket.unpipe().pause()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const asked = ask().catch((error: unknown) => error)
    while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(35_000)
    vi.useRealTimers()
    expect(await asked).toMatchObject({ message: 'The database did not answer in time.' })
    expect(unavailable).toBe(1)
    expect((await ask()).rows).toEqual([{ one: 1 }])
  } finally {
    vi.useRealTimers()
    await connection.close()
    for (const socket of sockets) socket.destroy()
    proxy.close()
    cluster.stop()
  }
})

it.skipIf(!programs)(
  'PostgreSQL prepares the statements of transactions and marked ones, and a new column harms none',
  async () => {
    const cluster = await startPostgres(programs ?? '')
    // Other tests of this process have used up the names.
    vi.resetModules()
    const fresh = await import('./postgres.server.ts')
    const connection = fresh.openPostgres(cluster.url, () => {})
    const { db } = connection
    try {
      await sql`create table things (id text primary key, size integer)`.execute(db)
      await sql`insert into things values ('one', 1)`.execute(db)
      await sql`select id from things`.execute(db)
      await sql`/* prepared */ select id from things`.execute(db)
      const readInside = (id: string) =>
        db.transaction().execute(async (tx) => {
          const all = await sql<{ id: string }>`select * from things where id = ${id}`.execute(tx)
          const size = await sql<{ size: number }>`select size from things where id = ${id}`.execute(tx)
          const { rows } = await sql<{ text: string }>`
            select statement as text from pg_prepared_statements
            where statement ~ 'from things' and statement !~ 'pg_prepared' order by 1`.execute(tx)
          return { columns: Object.keys(all.rows[0] ?? {}), size: size.rows[0]?.size, prepared: rows }
        })
      const before = await readInside('one')
      expect(before.prepared).toEqual([
        { text: '/* prepared */ select id from things' },
        { text: 'select size from things where id = $1' },
      ])
      await sql`alter table things add column colour text`.execute(db)
      const after = await readInside('one')
      expect(after).toEqual({ ...before, columns: ['id', 'size', 'colour'] })
    } finally {
      await connection.close()
      cluster.stop()
    }
  },
)
