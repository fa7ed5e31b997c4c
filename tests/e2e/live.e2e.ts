import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../../app/config.server.ts'
import { createServices } from '../../app/services.server.ts'
import { aBookingForm } from '../builders.ts'
import { freePort } from '../free-port.ts'

import { arrive, logIn, nextEventDate, PHONE, visit } from './browser.ts'
import { bookAndPay, GOOD_CARD } from './paid-booking.ts'
import { laneBrowser } from './stage.ts'

const BUSINESS = 'harbour-light-pavilion'
const AMOUNT_CENTS = 1_305_000
const folder = mkdtempSync(join(tmpdir(), 'jubilee-live-'))
let browser: Browser
let port: number
let running: ChildProcess | null = null

beforeAll(async () => {
  browser = await laneBrowser()
  port = await freePort()
})
afterAll(async () => {
  running?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const settings = () => ({
  NODE_ENV: 'test',
  PORT: String(port),
  PUBLIC_URL: `http://localhost:${port}`,
  DATA_DIR: folder,
  LOG_LEVEL: 'silent',
})

/** The product in a process of its own, always at the same address and on the same data. */
async function startProcess(): Promise<void> {
  const child = spawn(process.execPath, ['server/start.ts'], {
    env: { PATH: process.env.PATH ?? '', ...settings() },
  })
  running = child
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  await expect.poll(() => output, { timeout: 120_000, interval: 100 }).toContain(' is at ')
}

/** As a power cut ends it. */
async function killProcess(): Promise<void> {
  const child = running
  running = null
  const ended = new Promise((resolve) => child?.once('exit', resolve))
  child?.kill('SIGKILL')
  await ended
}

function booking(fullName: string) {
  return aBookingForm({ fullName, email: 'guest@example.com', date: nextEventDate(), quantity: 90 })
}

/** A guest books over the network, as a browser would. */
async function book(fullName: string): Promise<void> {
  const origin = `http://localhost:${port}`
  const post = async (path: string, body: object) => {
    const answer = await fetch(origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: (await answer.json()) as { clientSecret?: string } }
  }
  const made = await post('/create-payment-intent', {
    amount: AMOUNT_CENTS,
    submitKey: crypto.randomUUID(),
    businessId: BUSINESS,
    booking: booking(fullName),
  })
  const clientSecret = made.body.clientSecret ?? ''
  expect((await post('/api/sandbox/confirm', { clientSecret, ...GOOD_CARD })).status).toBe(200)
  expect((await post('/api/payment-report', { clientSecret })).status).toBe(200)
}

/** A booking that is stored while the server is down: no process is there to tell any browser of it. */
async function bookMeanwhile(fullName: string): Promise<void> {
  const config = readConfig({ ...settings(), PORT: String(await freePort()) })
  const services = await createServices(config, { databaseFolder: 'database' })
  try {
    // The queue of mails has to be open for a booking to be stored.
    await services.startJobs()
    await bookAndPay(services, {
      businessId: BUSINESS,
      amountCents: AMOUNT_CENTS,
      booking: booking(fullName),
    })
  } finally {
    await services.close()
  }
}

it('a list that is open while the server is killed and started again catches up by itself', async () => {
  await startProcess()
  const vendor = await arrive(browser, `http://localhost:${port}`, PHONE, [
    // What the browser says while nobody answers.
    /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE/,
  ])
  const { page } = vendor
  await logIn(page, 'vendor@jubilee.example')
  await visit(page, '/dashboard/bookings')
  await page.getByRole('heading', { name: 'Your Bookings' }).waitFor()
  // Gone with the first reload.
  await page.evaluate(() => {
    Object.assign(window, { isStillThisPage: true })
  })
  const item = (name: string) => page.getByRole('listitem').filter({ hasText: name })

  await book('Booked Before')
  await item('Booked Before').waitFor()

  await killProcess()
  await bookMeanwhile('Booked Meanwhile')
  // The list is still there to be read, and says nothing wrong.
  await item('Booked Before').waitFor()
  expect(await page.getByText('Error loading bookings').count()).toBe(0)

  await startProcess()
  await item('Booked Meanwhile').waitFor()
  // And it is live again.
  await book('Booked After')
  await item('Booked After').waitFor()
  await item('Booked After').getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Booking approved').waitFor()
  expect(await page.evaluate(() => 'isStillThisPage' in window)).toBe(true)
  await vendor.leave()
})
