import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createStripeProvider } from '../app/adapters/payments/stripe.server.ts'
import { STRIPE_SIGNATURE_HEADER } from '../app/adapters/payments/stripe-client.server.ts'
import { createStripePayouts } from '../app/adapters/payments/stripe-payouts.server.ts'
import { readConfig, SettingsError } from '../app/config.server.ts'
import { newId } from '../app/shared/ids.ts'
import { DAY_MS } from '../app/shared/time-units.ts'
import { WEBHOOK_PATHS } from '../server/body-limit.ts'
import { aClock, TEST_SECRET } from './builders.ts'
import { type StripeServer, startStripeServer } from './stripe-server.ts'

/** A dry run of docs/launch.md: its settings, addresses and events, read from the page. */

const page = readFileSync('docs/launch.md', 'utf8')
/** The source of all groups of settings. */
const config = readdirSync('app/config')
  .map((file) => readFileSync(`app/config/${file}`, 'utf8'))
  .join('\n')
const settingsPage = readFileSync('docs/settings.md', 'utf8')

/** The settings of each step that has some, in their order. */
const steps = page.split(/^## /m).flatMap((section) => {
  const settings = [...section.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) =>
    block
      .trim()
      .split('\n')
      .map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]),
  )
  return settings.length > 0
    ? [{ title: section.split('\n')[0] ?? '', settings: Object.fromEntries(settings) }]
    : []
})
const destinations = [...page.matchAll(/^\| `(\/[\w/-]+)` \|.*\| (\w+) \| `(\w+)` \| (.*) \|$/gm)].map(
  ([, path = '', style = '', secret = '', events = '']) => ({
    path,
    style,
    secret,
    events: [...events.matchAll(/`([^`]+)`/g)].map(([, type = '']) => type),
  }),
)
const named = [...new Set([...page.matchAll(/`([A-Z][A-Z_]+[A-Z])(?:=\w+)?`/g)].map(([, name = '']) => name))]
/** The settings of every deployment, with or without payouts. */
const deployed = {
  DATABASE_URL: 'postgres://jubilee@db/jubilee',
  SECRET: TEST_SECRET,
  SMTP_URL: 'smtp://mail.jubilee.example',
}

/** All settings up to the end of a step. */
function settingsUpTo(title: string): Record<string, string> {
  const last = steps.findIndex((step) => step.title.includes(title))
  if (last < 0) throw new Error(`docs/launch.md has no step '${title}'.`)
  return Object.assign({}, deployed, ...steps.slice(0, last + 1).map(({ settings }) => settings))
}

function refusal(env: Record<string, string>): string {
  try {
    readConfig(env)
    return 'started'
  } catch (error) {
    if (error instanceof SettingsError) return error.message
    throw error
  }
}

describe('the settings of docs/launch.md', () => {
  it('exist, and docs/settings.md describes them', () => {
    const names = [...new Set([...named, ...steps.flatMap(({ settings }) => Object.keys(settings))])]
    expect(names.length).toBeGreaterThan(15)
    for (const name of names) {
      expect(config, name).toMatch(new RegExp(`^  ${name}: `, 'm'))
      expect(settingsPage, name).toContain(`\`${name}\``)
    }
  })

  it('name every setting of payouts', () => {
    const section = /^## Payouts to vendors\n([\s\S]*?)^## /m.exec(settingsPage)?.[1] ?? ''
    const ofPayouts = [...section.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name = '']) => name)
    expect(ofPayouts.length).toBeGreaterThan(5)
    expect(ofPayouts.filter((name) => !page.includes(name))).toEqual([])
  })

  it('start the product at the end of each step', () => {
    expect(steps.map(({ title }) => refusal(settingsUpTo(title)))).toEqual(steps.map(() => 'started'))
  })

  it('switch payouts on in step 5, in test mode, and go live in step 6', () => {
    expect(readConfig(settingsUpTo('Commission')).payouts).toEqual({ provider: 'off' })
    const test = readConfig(settingsUpTo('Switch payouts on'))
    expect(test.payouts).toMatchObject({ provider: 'stripe', secretKey: expect.stringContaining('_test_') })
    expect(test).toMatchObject({ requirePayoutsToApprove: true, isSandboxOpen: false })
    const live = readConfig(settingsUpTo('Live keys'))
    expect(live.payouts).toMatchObject({ provider: 'stripe', secretKey: expect.stringContaining('_live_') })
  })

  it('stop the start when one set of keys is live and the other is not', () => {
    const { STRIPE_SECRET_KEY } = settingsUpTo('Live keys')
    const mixed = { ...settingsUpTo('Switch payouts on'), STRIPE_SECRET_KEY: STRIPE_SECRET_KEY ?? '' }
    expect(refusal(mixed)).toContain('belongs to another mode')
  })

  it.each(['STRIPE_CONNECT_WEBHOOK_SECRET', 'STRIPE_ACCOUNTS_WEBHOOK_SECRET'])(
    'are all needed: %s is missed by name',
    (name) => {
      expect(refusal({ ...settingsUpTo('Switch payouts on'), [name]: '' })).toContain(`${name}: needed`)
    },
  )
})

describe('docs/launch.md', () => {
  it('forbids real money before the tax documents and the report exist, and asks about the register', () => {
    const beforeTheSteps = page.slice(0, page.indexOf('## 1.'))
    expect(beforeTheSteps).toContain('**Real money is forbidden for now.**')
    for (const missing of ['Tax invoices', 'SERR', 'ABR_GUID', 'adviser'])
      expect(beforeTheSteps).toContain(missing)
    expect(page.slice(page.indexOf('## 6.'))).toContain('Not before the tax documents')
  })

  it('names three addresses that the product has', () => {
    // Replies by mail come from another service.
    const ofPayments = [...WEBHOOK_PATHS].filter((path) => path !== '/webhooks/mail')
    expect(new Set(destinations.map(({ path }) => path))).toEqual(new Set(ofPayments))
  })
})

describe('a dry run of docs/launch.md', () => {
  const clock = aClock()
  const settings = settingsUpTo('Switch payouts on')
  const { payments, payouts } = readConfig(settings)
  let stripe: StripeServer
  beforeAll(async () => {
    stripe = await startStripeServer({
      descriptionPath: process.env.STRIPE_OPENAPI,
      webhookSecret: settings.STRIPE_WEBHOOK_SECRET ?? '',
      now: clock.now,
    })
  })
  afterAll(() => stripe.close())

  function open() {
    if (payments.provider !== 'stripe' || payouts.provider !== 'stripe')
      throw new Error('docs/launch.md leads to Stripe.')
    const at = { now: clock.now, host: '127.0.0.1', port: stripe.port, protocol: 'http' as const, retries: 0 }
    return {
      cards: createStripeProvider({ ...payments, ...at }),
      vendors: createStripePayouts({ ...payouts, ...at }),
    }
  }

  it('reads each of its events at its own address only', () => {
    const { cards, vendors } = open()
    const readers = {
      '/webhooks/payments': (body: string, headers: Headers) => cards.parseWebhook(body, headers),
      '/webhooks/connected-accounts': (body: string, headers: Headers) =>
        vendors.parseWebhook('connected', body, headers),
      '/webhooks/accounts': (body: string, headers: Headers) =>
        vendors.parseWebhook('accounts', body, headers),
    }
    for (const { path, style, secret: name, events } of destinations) {
      const secret = settings[name] ?? ''
      for (const type of events) {
        const event =
          style === 'thin'
            ? stripe.notification(type, { id: 'acct_1', type: 'v2.core.account' }, secret)
            : stripe.event(type, { id: 'x_1', object: 'payout' }, { account: 'acct_1', secret })
        const headers = new Headers({ [STRIPE_SIGNATURE_HEADER]: event.header })
        const understood = Object.entries(readers).filter(
          ([, read]) => read(event.body, headers)?.type === type,
        )
        expect([type, understood.map(([reader]) => reader)]).toEqual([type, [path]])
      }
    }
  })

  it('pays a vendor: account, form, charge, transfer, payout, and a balance that agrees', async () => {
    const { cards, vendors } = open()
    expect(await vendors.preparePlatform()).toEqual({ ok: true })
    const made = await vendors.createAccount({
      accountId: newId(),
      email: 'vendor@jubilee.example',
      registeredName: 'Harbour Light Pavilion Pty Ltd',
      entityType: 'company',
      abn: settings.PLATFORM_ABN ?? null,
      idempotencyKey: newId(),
    })
    const account = made.ok ? made.reference : ''
    const to = { returnUrl: `${settings.PUBLIC_URL}/back`, refreshUrl: `${settings.PUBLIC_URL}/again` }
    expect(await vendors.createOnboardingLink({ account, ...to })).toMatchObject({ ok: true })
    stripe.payouts.complete(account, 'good')
    expect(await vendors.prepareAccount(account)).toEqual({ ok: true })
    expect(await vendors.retrieveAccount(account)).toMatchObject({ snapshot: { transfers: 'active' } })

    const group = newId()
    const paid = await cards.create({
      paymentId: group,
      amountCents: 870_000,
      currency: 'aud',
      description: 'Harbour Light Pavilion',
      statementSuffix: 'HARBOUR LIGHT',
      idempotencyKey: newId(),
    })
    if (!paid.ok) throw new Error(paid.message)
    stripe.pay(paid.clientSecret)
    const share = { account, amountCents: 783_000, charge: paid.reference, group, transferId: newId() }
    const transferred = await vendors.transfer(share)
    for (let day = 0; day < 4; day++) {
      clock.forward(DAY_MS)
      stripe.payouts.runPayouts()
    }
    const banked = await vendors.listBankPayouts({ account, createdSince: new Date(0), after: null })
    expect(banked).toMatchObject({ payouts: [{ state: 'paid', amountCents: 783_000 }] })
    const payout = banked.ok ? (banked.payouts[0]?.reference ?? '') : ''
    expect(await vendors.listTransfersOfPayout({ account, payout })).toEqual({
      ok: true,
      transfers: [transferred.ok ? transferred.transfer.reference : ''],
    })
    const movements = await vendors.listMovements({ since: new Date(0), after: null })
    const sum = movements.ok
      ? movements.movements.reduce((all, one) => all + one.amountCents - one.feeCents, 0)
      : Number.NaN
    expect(await vendors.retrieveBalance()).toEqual({ ok: true, availableCents: sum, pendingCents: 0 })
    expect(stripe.problems).toEqual([])
  })
})
