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
import { COMPILE_CACHE, SHORT_LIVED } from '../server-process.ts'

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

/** Starts the product in a separate process, always at the same address with the same data. */
async function startProcess(): Promise<void> {
  const child = spawn(process.execPath, [...SHORT_LIVED, 'server/start.ts'], {
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: COMPILE_CACHE, ...settings() },
  })
  running = child
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  await expect.poll(() => output, { timeout: 120_000, interval: 100 }).toContain(' is at ')
}

/** Kills the process, as a power cut would. */
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

/** Books as a guest over the network, as a browser would. */
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

/** Stores a booking while the server is down, so that no process can notify a browser. */
async function bookMeanwhile(fullName: string): Promise<void> {
  const config = readConfig({ ...settings(), PORT: String(await freePort()) })
  const services = await createServices(config, { databaseFolder: 'database' })
  try {
    // A booking can only be stored while the job queue is open, for its mails.
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

it('an open list catches up without a reload after the server is killed and restarted', async () => {
  await startProcess()
  const vendor = await arrive(browser, `http://localhost:${port}`, PHONE, [
    // Console errors while the server is down.
    /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE/,
  ])
  const { page } = vendor
  await logIn(page, 'vendor@jubilee.example')
  await visit(page, '/dashboard/bookings')
  await page.getByRole('heading', { name: 'Your Bookings' }).waitFor()
  // A reload would remove this mark.
  await page.evaluate(() => {
    Object.assign(window, { isStillThisPage: true })
  })
  const item = (name: string) => page.getByRole('listitem').filter({ hasText: name })

  await book('Booked Before')
  await item('Booked Before').waitFor()

  await killProcess()
  await bookMeanwhile('Booked Meanwhile')
  // The list is still readable and shows no error.
  await item('Booked Before').waitFor()
  expect(await page.getByText('Error loading bookings').count()).toBe(0)

  await startProcess()
  await item('Booked Meanwhile').waitFor()
  // The list is live again.
  await book('Booked After')
  await item('Booked After').waitFor()
  await item('Booked After').getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Booking approved').waitFor()
  expect(await page.evaluate(() => 'isStillThisPage' in window)).toBe(true)
  await vendor.leave()
})
