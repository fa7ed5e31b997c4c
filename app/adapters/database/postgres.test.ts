import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { findPostgres, startPostgres } from '../../../tests/postgres.ts'
import { openPostgres } from './postgres.server.ts'

const programs = findPostgres()
if (!programs)
  process.stdout.write('No PostgreSQL server on this machine: lost connections are not tested.\n')

it.skipIf(!programs)('says when it stops hearing a channel and when it hears it again', async () => {
  const cluster = await startPostgres(programs ?? '')
  // Broken on purpose, twice.
  const connection = openPostgres(cluster.url, () => {})
  const heard: string[] = []
  const stop = await connection.listen('changes', {
    onMessage: (payload) => heard.push(payload),
    onLost: () => heard.push('lost'),
    onReconnect: () => heard.push('back'),
  })
  const say = (text: string) => sql`select pg_notify('changes', ${text})`.execute(connection.db)
  const breakIt = () =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen "changes"'`.execute(
      connection.db,
    )
  try {
    await say('one')
    await expect.poll(() => heard).toEqual(['one'])
    await breakIt()
    await expect.poll(() => heard, { timeout: 10_000 }).toEqual(['one', 'lost', 'back'])
    await say('two')
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
