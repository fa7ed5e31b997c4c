import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { aPdf } from '../pdf-files.ts'

const built = new URL('../../build/server/', import.meta.url)

/** Each thread's file with an input, and what answers to it. */
const THREADS = {
  'calendar-worker': {
    input: {
      text: readFileSync(new URL('../calendars/google.ics', import.meta.url), 'utf8'),
      window: { from: new Date('2026-09-01T00:00:00Z'), until: new Date('2028-09-01T00:00:00Z') },
      zone: 'Australia/Melbourne',
      ownUidSuffix: null,
      ownerAddresses: [],
    },
    answer: { ok: true, events: { length: 6 } },
  },
  'card-worker': {
    input: {
      brand: 'Jubilee',
      title: '李小龙 Hall',
      lines: ['Melbourne, VIC'],
      price: null,
      rating: null,
      pictures: [],
    },
    answer: { 0: 0xff, 1: 0xd8 },
  },
  'pdf-worker': { input: aPdf(), answer: { ok: true } },
}

it('the build starts the threads that are tried here, from one bundle', () => {
  const starters = readdirSync(built)
    .filter((name) => name.endsWith('.js'))
    .map((name) =>
      [
        ...readFileSync(new URL(name, built), 'utf8').matchAll(
          /threadFile\(import\.meta\.url, "([\w-]+)"\)/g,
        ),
      ].map(([, thread]) => thread),
    )
    .filter((threads) => threads.length > 0)
  expect(starters.map((threads) => threads.sort())).toEqual([Object.keys(THREADS)])
})

it.each(Object.entries(THREADS))('the build’s %s answers', async (name, { input, answer }) => {
  const worker = new Worker(new URL(`${name}.js`, built))
  worker.postMessage(input)
  const [answered] = await once(worker, 'message')
  await worker.terminate()
  expect(answered).toMatchObject(answer)
})
