import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  MAX_CONCURRENT_IMAGES,
  MAX_CONCURRENT_UPLOADS,
  MAX_UPLOAD_PIXELS,
  UPLOAD_LIMIT,
} from '../../app/features/files/rules.ts'
import { anAnimation } from '../builders.ts'
import { requestsTo, signUp } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer
let now: Date
let cookie = ''
/** 50 million pixels in some 160 kB: as large as a photo may be. */
let largest: Uint8Array<ArrayBuffer>
let small: Uint8Array<ArrayBuffer>

beforeAll(async () => {
  now = new Date('2026-11-20T01:00:00Z')
  server = await startServer({ openDatabase: openTestDatabase, now: () => now })
  largest = await png(8_000, 6_250)
  expect(8_000 * 6_250).toBe(MAX_UPLOAD_PIXELS)
  small = await png(60, 40)
})
afterAll(() => server.close())
beforeEach(async () => {
  cookie = (await signUp(server, `${crypto.randomUUID()}@example.com`)).cookie
})

async function png(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const image = sharp({ create: { width, height, channels: 3, background: '#2f5d50' } })
  return new Uint8Array(await image.png({ compressionLevel: 9 }).toBuffer())
}

const { send } = requestsTo(
  () => server,
  () => ({ cookie }),
)

function sendPhoto(bytes: Uint8Array<ArrayBuffer>) {
  const form = new FormData()
  form.set('intent', 'photo')
  form.set('photo', new File([bytes], 'me.png', { type: 'image/png' }))
  return send('/my-profile', { body: form })
}

function sendLogo(bytes: Uint8Array<ArrayBuffer>) {
  const form = new FormData()
  form.set('kind', 'logo')
  form.set('file', new File([bytes], 'logo.png', { type: 'image/png' }))
  return send('/api/upload', { body: form })
}

/** Runs `work` and returns the largest number of images that were in a decoder at once. */
async function mostDecodedAtOnce(work: () => Promise<unknown>): Promise<number> {
  let most = 0
  const look = () => {
    const { queue, process } = sharp.counters()
    most = Math.max(most, queue + process)
  }
  sharp.queue.on('change', look)
  try {
    await work()
  } finally {
    sharp.queue.off('change', look)
  }
  return most
}

describe('a flood of profile photos', () => {
  it('shares the image queue, is mostly refused, and leaves the server ready', async () => {
    const answers: Response[] = []
    let readyMeanwhile = 0
    const most = await mostDecodedAtOnce(async () => {
      const flood = Array.from({ length: 40 }, () =>
        sendPhoto(largest).then((answer) => answers.push(answer)),
      )
      for (const isOver = Promise.all(flood).then(() => true); ; ) {
        const health = await send('/health/ready')
        expect(health.status).toBe(200)
        if (answers.length < flood.length) readyMeanwhile++
        if (await Promise.race([isOver, health.text().then(() => false)])) break
        await new Promise((resolve) => setImmediate(resolve))
      }
    })
    expect(readyMeanwhile).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(MAX_CONCURRENT_IMAGES)
    const statuses = Map.groupBy(answers, ({ status }) => status)
    expect([...statuses.keys()].sort()).toEqual([200, 429])
    expect(statuses.get(200)?.length).toBeGreaterThanOrEqual(MAX_CONCURRENT_UPLOADS)
    // By the queue of pictures, or by the bytes that one network sends at once.
    expect(await statuses.get(429)?.[0]?.text()).toMatch(
      /Your other pictures are still uploading\.|Too much is being sent from your network at once\./,
    )
  }, 120_000)

  it('counts towards the account’s upload limit and is refused in the page’s own design', async () => {
    for (let sent = 0; sent < UPLOAD_LIMIT.max; sent++)
      expect((await (sent % 2 ? sendPhoto(small) : sendLogo(small))).status).toBe(200)
    expect((await sendLogo(small)).status).toBe(429)
    const refused = await sendPhoto(small)
    expect(refused.status).toBe(429)
    const html = await refused.text()
    expect(html).toContain('My Profile')
    expect(html).toContain('You’ve uploaded too many pictures in a short time. Try again in ten minutes.')
    // Another account is unaffected.
    cookie = (await signUp(server, 'somebody-else@example.com')).cookie
    expect((await sendPhoto(small)).status).toBe(200)
    now = new Date(now.getTime() + UPLOAD_LIMIT.windowMs)
  }, 60_000)

  it('fails undecoded above 50 million pixels, counted over all pages of an animation', async () => {
    const animation = await anAnimation(34, 1_500, 1_000)
    for (const bytes of [await png(8_000, 6_251), animation]) {
      const most = await mostDecodedAtOnce(async () => {
        const answer = await sendPhoto(bytes)
        expect(answer.status).toBe(400)
        expect(await answer.text()).toContain('This photo has more than 50 million pixels.')
        expect((await sendLogo(bytes)).status).toBe(422)
      })
      expect(most).toBe(0)
    }
  })
})
