import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { PushTarget } from '../../app/adapters/push/port.ts'
import { createPushSender } from '../../app/adapters/push/web-push.server.ts'
import { aBookingForm } from '../builders.ts'
import { aPushTarget, openPushReceiver, TO_THIS_MACHINE } from '../push-receiver.ts'
import { bringAxe, findViolations } from './axe.ts'
import { DESKTOP, main, nextEventDate, PHONE, visit } from './browser.ts'
import { bookAndPay } from './paid-booking.ts'
import { openStage } from './stage.ts'

// Workers outlive a person in a context that is lent to the next.
const stage = openStage({ newContexts: true })
const VENDOR = 'vendor@jubilee.example'

/**
 * Replaces the browser's push service, which a test can't reach, and its question, which a headless browser always denies.
 * The worker and its registration are the browser's own.
 */
async function bringPushService(page: Page, { endpoint, p256dh, auth }: PushTarget = aPushTarget()) {
  await page.addInitScript(
    ([address, point, secret]) => {
      const subscription = {
        options: {},
        toJSON: () => ({ endpoint: address, keys: { p256dh: point, auth: secret } }),
        unsubscribe: async () => true,
      }
      PushManager.prototype.subscribe = async () => subscription as never
      Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
      Notification.requestPermission = async () => 'granted'
    },
    [endpoint, p256dh, auth],
  )
}

describe('notifications on a device', () => {
  it.each([
    ['phone', PHONE],
    ['desktop', DESKTOP],
  ] as const)('can be turned on and off on a %s', async (_name, size) => {
    const { page, leave } = await stage.arriveAs(VENDOR, size)
    await bringAxe(page)
    await bringPushService(page)
    await visit(page, '/settings-privacy')
    const registered = () =>
      page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
    expect(await registered()).toBe(0)

    const section = main(page).getByRole('region', { name: 'Notifications on this device' })
    await section.getByRole('button', { name: 'Turn on for this device' }).click()
    await section.getByText('This browser').waitFor()
    expect(await findViolations(page, 'notifications on')).toEqual([])
    expect(await registered()).toBe(1)
    // It controls no page, so none is ever answered by it.
    expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull()

    await section.getByRole('button', { name: 'Turn off' }).click()
    await section.getByRole('button', { name: 'Turn on for this device' }).waitFor()
    await expect.poll(registered).toBe(0)
    await leave()
  })

  it('show a new booking by the browser’s own worker, from the message that the server sent', async () => {
    const receiver = await openPushReceiver()
    const { services, origin } = stage.server
    if (!services.config.pushKeys) throw new Error('The demo has no keys.')
    services.push = createPushSender({
      keys: services.config.pushKeys,
      subject: 'mailto:a@example.com',
      ...TO_THIS_MACHINE,
    })
    const { page, context, leave } = await stage.arriveAs(VENDOR, PHONE)
    await bringPushService(page, receiver.target)
    await visit(page, '/settings-privacy')
    const devtools = await context.newCDPSession(page)
    const registered = new Promise<string>((resolve) =>
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [first] = registrations
        if (first) resolve(first.registrationId)
      }),
    )
    await devtools.send('ServiceWorker.enable')
    const started = context.waitForEvent('serviceworker')
    await main(page).getByRole('button', { name: 'Turn on for this device' }).click()
    const worker = await started
    await main(page).getByText('This browser', { exact: true }).waitFor()
    // A headless browser draws no notifications, so the worker's call is read.
    await worker.evaluate(() => {
      const shown: unknown[] = []
      Object.assign(globalThis, { shown })
      ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
        shown.push({ title, body: options?.body, data: options?.data })
      }
    })

    await bookAndPay(services, {
      businessId: 'harbour-light-pavilion',
      amountCents: 145_000,
      booking: aBookingForm({ date: nextEventDate() }),
    })
    await expect.poll(() => receiver.received.length).toBe(1)
    const data = receiver.received[0]?.payload ?? ''
    await devtools.send('ServiceWorker.deliverPushMessage', {
      origin,
      registrationId: await registered,
      data,
    })
    await expect
      .poll(() => worker.evaluate(() => (globalThis as unknown as { shown: unknown[] }).shown))
      .toEqual([
        {
          title: 'New booking',
          body: 'A customer has booked and paid.',
          data: { href: `${origin}/dashboard/bookings` },
        },
      ])
    await main(page).getByRole('button', { name: 'Turn off' }).click()
    await main(page).getByRole('button', { name: 'Turn on for this device' }).waitFor()
    await leave()
    await receiver.close()
  })

  it('say what to do when the browser blocks them', async () => {
    const { page, leave } = await stage.arriveAs(VENDOR, PHONE)
    // Without the permission a headless browser denies them.
    await visit(page, '/settings-privacy')
    const section = main(page).getByRole('region', { name: 'Notifications on this device' })
    await section.getByText(/Your browser (blocks notifications|didn’t allow)/).waitFor()
    await leave()
  })
})

describe('installing the site', () => {
  it('starts from a line in Settings once the browser allows it, and works once', async () => {
    const { page, leave } = await stage.arriveAs('customer@jubilee.example', PHONE)
    await visit(page, '/')
    // A headless browser makes no offer of its own.
    const isKept = await page.evaluate(() => {
      const offer = new Event('beforeinstallprompt', { cancelable: true })
      Object.assign(offer, { prompt: async () => Object.assign(window, { wasPrompted: true }) })
      return !dispatchEvent(offer)
    })
    expect(isKept).toBe(true)
    await page.evaluate(() => history.pushState({}, '', '/settings-privacy'))
    await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate', { state: null })))
    const button = main(page).getByRole('button', { name: 'Add it' })
    await button.click()
    await expect.poll(() => page.evaluate(() => 'wasPrompted' in window)).toBe(true)
    await button.waitFor({ state: 'detached' })
    await leave()
  })
})

describe('the browser’s bars', () => {
  it('take the colour of the chosen scheme, at once and in the next document', async () => {
    const { page, leave } = await stage.arrive(PHONE)
    await visit(page, '/events')
    const colour = () =>
      page.evaluate(() => {
        const metas = [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')]
        return metas.find(({ media }) => !media || matchMedia(media).matches)?.content
      })
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await colour()).toBe('#141b1d')
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await colour()).toBe('#fbf7f0')
    await page.getByRole('contentinfo').getByText('Night', { exact: true }).click()
    await expect.poll(colour).toBe('#141b1d')
    await page.reload()
    expect(await colour()).toBe('#141b1d')
    await page.getByRole('contentinfo').getByText('Auto', { exact: true }).click()
    await expect.poll(colour).toBe('#fbf7f0')
    await leave()
  })
})
