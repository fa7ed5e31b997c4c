import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'

const built = new URL('../../build/server/', import.meta.url)

it('the build has the calendar worker’s file beside the bundle that starts it', async () => {
  const starters = readdirSync(built).filter(
    (name) =>
      name.endsWith('.js') && readFileSync(new URL(name, built), 'utf8').includes('./calendar-worker.js'),
  )
  expect(starters).toHaveLength(1)
  const worker = new Worker(new URL('calendar-worker.js', built), {
    workerData: {
      text: readFileSync(new URL('../calendars/google.ics', import.meta.url), 'utf8'),
      window: { from: new Date('2026-09-01T00:00:00Z'), until: new Date('2028-09-01T00:00:00Z') },
      zone: 'Australia/Melbourne',
      ownUidSuffix: null,
      ownerAddresses: [],
    },
  })
  const [answer] = await once(worker, 'message')
  await worker.terminate()
  expect(answer).toMatchObject({ ok: true, events: { length: 6 } })
})
