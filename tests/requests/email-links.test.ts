import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../app/shared/ids.ts'
import { DAY_MS } from '../../app/shared/time-units.ts'
import { aBookingForm, aBusiness, aUser } from '../builders.ts'
import { Client, PASSWORD } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { bookAndPay } from '../e2e/paid-booking.ts'
import { ageProofs } from '../proofs.ts'
import { linkIn, mailTo } from '../sent-mails.ts'
import { startServer, type TestServer } from '../server.ts'

const OPERATOR = 'head-of-operations@example.com'

let server: TestServer
let skippedMs = 0

beforeAll(async () => {
  server = await startServer({
    openDatabase: openTestDatabase,
    env: { TRUSTED_PROXY: '1', OPERATOR_EMAILS: OPERATOR },
    now: () => new Date(Date.now() + skippedMs),
  })
})
afterAll(() => server.close())

const aBrowser = () => new Client(server)

let people = 0
const anEmail = (name = 'person') => `${name}-${++people}@example.com`

async function signedUp(email: string, password = PASSWORD): Promise<Client> {
  const browser = aBrowser()
  await browser.signUp(email, { password })
  return browser
}

const verificationLink = async (email: string) => linkIn(await mailTo(server, email, /^Confirm your email/))
const changeLink = async (email: string) => linkIn(await mailTo(server, email, /^Confirm your new email/))
const tokenIn = (link: string) => new URL(link, server.origin).searchParams.get('token') ?? ''

/** The Message-ID of the mail that contains a link. */
const messageIdOf = async (link: string, email: string) =>
  (await server.services.outbox?.list(100))?.find(
    (mail) => mail.to === email && mail.text.includes(tokenIn(link)),
  )?.messageId

/** Submits the form of the page that a link opens. */
const press = (browser: Client, link: string, intent: string, fields: Record<string, string> = {}) =>
  browser.post(link, { intent, token: tokenIn(link), ...fields })

const userOf = async (email: string) =>
  server.services.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()

async function verified(email: string): Promise<Client> {
  const browser = await signedUp(email)
  const link = await verificationLink(email)
  expect((await press(browser, link, 'confirm')).status).toBe(200)
  return browser
}

/** Creates a guest booking and a registration with a logo for an address that has no account. */
async function leavesTraces(email: string): Promise<{ vendorName: string; logoUrl: string }> {
  const { db } = server.services
  const vendorName = `The Orchard of ${email}`
  const business = await aBusiness(db, { name: vendorName })
  await bookAndPay(server.services, {
    businessId: business.id,
    amountCents: Number(business.price_cents) * 10,
    booking: aBookingForm({ email }),
  })
  const logoUrl = `/files/businessLogos/logo-of-${email}.webp`
  await db
    .insertInto('business_registrations')
    .values({
      id: newId(),
      user_id: (await aUser(db)).id,
      business_name: 'Orchard Weddings',
      abn: '51824753556',
      business_structure: 'Sole Trader',
      industry_type: 'Venues',
      gst_registered: false,
      principal_address: '1 Orchard Road, Melbourne',
      business_phone: '0411 222 333',
      business_email: email,
      owner_name: 'Kim Lee',
      owner_dob: '1980-01-01',
      owner_phone: '0411 222 333',
      owner_email: email,
      logo_url: logoUrl,
    })
    .execute()
  return { vendorName, logoUrl }
}

/** The visible content of a response: the page without its frame. */
async function visible(response: Response): Promise<string> {
  const html = await response.text()
  return (/<main[\s\S]*<\/main>/.exec(html)?.[0] ?? html).replaceAll('<!-- -->', '')
}

describe('an account opened with a stranger’s address', () => {
  it.each([
    ['customer', () => anEmail('customer')],
    ['vendor', () => anEmail('vendor')],
    ['operator', () => OPERATOR],
  ])('gains nothing from a %s who presses the link, and loses the address', async (who, makeEmail) => {
    const email = makeEmail()
    const { vendorName, logoUrl } = await leavesTraces(email)
    const attacker = await signedUp(email)
    const attackerId = (await attacker.user())?.uid ?? ''
    const listing = await aBusiness(server.services.db, { user_id: attackerId, name: `Bait for ${email}` })
    const link = await verificationLink(email)
    const victim = aBrowser()
    const elsewhere = await signedUp(anEmail())

    const expectNothingGained = async () => {
      expect(await attacker.user()).toMatchObject({
        emailVerified: false,
        avatarUrl: null,
        isOperator: false,
      })
      expect(await (await attacker.get('/my-bookings')).text()).not.toContain(vendorName)
      expect(await (await attacker.get('/settings-privacy/my-data.json')).text()).not.toContain(vendorName)
      expect((await attacker.get('/operations')).status).toBe(404)
      expect((await attacker.get('/operations/accounts')).status).toBe(404)
    }

    for (const browser of [victim, elsewhere]) {
      const opened = await browser.get(link)
      expect(opened.status).toBe(200)
      expect(await opened.text()).not.toContain('Robin Vale')
      for (const password of [undefined, '', 'not the password']) {
        const answer = await press(browser, link, 'confirm', password === undefined ? {} : { password })
        expect(answer.status).toBe(400)
      }
      // A form made by hand, or by an older page, confirms nothing either.
      const older = await browser.post(link, { token: tokenIn(link) })
      expect(older.status).toBe(400)
      expect(await visible(older)).toContain('Nothing has changed yet. Choose one of the buttons.')
    }
    await expectNothingGained()

    const pressed = await press(victim, link, 'new-account')
    expect(pressed.status).toBe(200)
    const shown = await pressed.text()
    expect(shown).toContain(email)
    for (const secret of [attackerId, listing.name, 'Robin Vale']) expect(shown).not.toContain(secret)
    await expectNothingGained()

    await victim.signUp(email, { displayName: 'Kim Lee', password: 'the owner’s own' })
    expect((await victim.user())?.uid).not.toBe(attackerId)
    // The new account is empty and unverified until its owner confirms the address.
    expect(await (await victim.get('/dashboard/list-business')).text()).not.toContain(listing.name)
    expect(await (await victim.get('/my-bookings')).text()).not.toContain(vendorName)
    expect((await victim.get('/operations')).status).toBe(404)
    const own = linkIn(await mailTo(server, email, /^Confirm your email/, await messageIdOf(link, email)))
    expect((await press(victim, own, 'confirm')).status).toBe(200)
    expect(await victim.user()).toMatchObject({
      emailVerified: true,
      avatarUrl: logoUrl,
      isOperator: who === 'operator',
    })
    expect(await (await victim.get('/my-bookings')).text()).toContain(vendorName)
    expect((await victim.get('/operations')).status).toBe(who === 'operator' ? 200 : 404)
    await expectNothingGained()
  })

  it('keeps its data, and its owner signs in with the old address until they confirm another', async () => {
    const email = anEmail('mistyped')
    const owner = await signedUp(email)
    const userId = (await owner.user())?.uid ?? ''
    const listing = await aBusiness(server.services.db, { user_id: userId, name: 'The Kept Barn' })
    const link = await verificationLink(email)
    const told = await visible(await press(aBrowser(), link, 'not-me'))
    expect(told).toContain(`${email} no longer belongs to that account.`)
    expect(told).not.toContain('Robin Vale')

    for (const path of [
      '/my-profile',
      '/my-bookings',
      '/dashboard',
      '/dashboard/list-business',
      '/addservice',
    ]) {
      const answer = await owner.get(path)
      expect(answer.status).toBe(302)
      expect(answer.headers.get('location')).toMatch(/^\/new-email\?next=/)
    }
    expect(await visible(await owner.get('/'))).not.toContain('detached.invalid')
    expect(await visible(await owner.get(`/book/${listing.id}`))).not.toContain('detached.invalid')

    const again = aBrowser()
    const login = await again.post('/login?next=/my-bookings', { email, password: PASSWORD })
    expect(login.headers.get('location')).toBe('/new-email?next=%2Fmy-bookings')
    expect((await again.get('/new-email')).status).toBe(200)

    const to = anEmail('right')
    await ageProofs(server.services.db, 11, (await again.user())?.email)
    const wrong = await again.post('/new-email', { email: to, proof: 'not the password' })
    expect(wrong.status).toBe(400)
    expect(await wrong.text()).toContain(to)
    const sent = await again.post('/new-email', { email: to, proof: PASSWORD })
    expect(await visible(sent)).toContain(`We have sent a link to ${to}.`)
    expect((await again.get('/my-profile')).status).toBe(302)
    expect((await press(again, await changeLink(to), 'confirm')).status).toBe(200)
    expect(await again.user()).toMatchObject({ uid: userId, email: to, emailVerified: true })
    expect(await (await owner.get('/dashboard/list-business')).text()).toContain('The Kept Barn')
    // With an address confirmed, this screen only redirects.
    expect((await again.get('/new-email?next=/my-bookings')).headers.get('location')).toBe('/my-bookings')
    expect((await aBrowser().post('/login', { email, password: PASSWORD })).status).toBe(400)
  })

  it('gets no mail at its lost address and shows customers no placeholder', async () => {
    const email = anEmail('vendor')
    const vendor = await signedUp(email)
    const userId = (await vendor.user())?.uid ?? ''
    await press(aBrowser(), await verificationLink(email), 'not-me')
    const business = await aBusiness(server.services.db, { user_id: userId })
    const customer = anEmail('customer')
    await bookAndPay(server.services, {
      businessId: business.id,
      amountCents: Number(business.price_cents) * 10,
      booking: aBookingForm({ email: customer }),
    })
    const mail = await mailTo(server, customer, /The Walled Garden/)
    expect(mail.text).toContain('Robin Vale')
    expect(mail.text).not.toContain('detached.invalid')
    expect(await visible(await aBrowser().get(linkIn(mail)))).not.toContain('detached.invalid')
    const mails = (await server.services.outbox?.list(100)) ?? []
    expect(mails.filter(({ to }) => to.endsWith('.invalid'))).toEqual([])
  })
})

describe('a verification link', () => {
  it('confirms the address for its owner, by session or by password', async () => {
    const email = anEmail('owner')
    const { vendorName, logoUrl } = await leavesTraces(email)
    const owner = await signedUp(email)
    const link = await verificationLink(email)
    const phone = aBrowser()
    expect((await press(phone, link, 'confirm', { password: PASSWORD })).status).toBe(200)
    // The password confirms the address, but does not sign this browser in.
    expect(await phone.user()).toBeNull()
    expect(await owner.user()).toMatchObject({ emailVerified: true, avatarUrl: logoUrl })
    expect(await (await owner.get('/my-bookings')).text()).toContain(vendorName)
  })

  it('changes nothing when anyone merely opens it', async () => {
    const email = anEmail()
    const owner = await signedUp(email)
    const link = await verificationLink(email)
    const before = await userOf(email)
    for (const browser of [aBrowser(), owner, await signedUp(anEmail())]) {
      expect((await browser.get(link)).status).toBe(200)
      expect((await browser.send(link, { method: 'HEAD' })).status).toBe(200)
    }
    expect(await userOf(email)).toEqual(before)
    expect((await press(owner, link, 'confirm')).status).toBe(200)
  })

  it('explains why it no longer works and offers no action that would fail', async () => {
    const email = anEmail()
    const owner = await signedUp(email)
    const link = await verificationLink(email)
    const dead = async (browser: Client, path: string) => {
      const html = await visible(await browser.get(path))
      expect(html).not.toContain('This wasn’t me')
      expect(html).not.toContain('>Confirm my email<')
      for (const intent of ['confirm', 'not-me', 'new-account', 'nothing-we-know']) {
        const answer = await press(browser, path, intent)
        expect(answer.status).toBe(400)
        expect(await visible(answer)).toContain('This link ')
      }
      return html
    }
    const noLonger =
      'This link no longer works. It may have expired, or been used already. Ask for a new one.'
    expect(await dead(aBrowser(), `${link}x`)).toContain(noLonger)
    expect(await dead(aBrowser(), '/verify-email')).toContain(noLonger)
    skippedMs = 3_600_000
    expect(await dead(owner, link)).toContain('This link has expired. Ask for a new one.')
    skippedMs = 0
    // A second tab, after the address has been confirmed.
    expect((await press(owner, link, 'confirm')).status).toBe(200)
    expect(await dead(owner, link)).toContain('is confirmed. There is nothing to do.')
  })

  it('stays valid after a wrong password, and limits guesses', async () => {
    const email = anEmail()
    const owner = await signedUp(email)
    const link = await verificationLink(email)
    const browser = aBrowser()
    const first = await press(browser, link, 'confirm', { password: 'guess 1' })
    const html = await visible(first)
    expect(html).toContain('This isn’t that account’s password. Check it and try again.')
    expect(html).not.toContain('guess 1')
    let last = first
    for (let guess = 2; guess <= 11; guess++)
      last = await press(browser, link, 'confirm', { password: `guess ${guess}` })
    expect(last.status).toBe(429)
    expect(await visible(last)).toContain('Too many attempts in a short time.')
    expect((await press(owner, link, 'confirm')).status).toBe(200)
  })

  it('accepts no form from another site', async () => {
    const email = anEmail()
    const owner = await signedUp(email)
    const link = await verificationLink(email)
    for (const intent of ['confirm', 'not-me', 'new-account']) {
      const fields = { intent, token: tokenIn(link) }
      const answer = await owner.post(link, fields, { headers: { origin: 'https://evil.example' } })
      expect(answer.status).toBe(403)
    }
    expect(await userOf(email)).toMatchObject({ email_verified: false })
  })
})

describe('a changed email', () => {
  /** Changes the address as its owner would, or a thief with the session and password. */
  async function changed(browser: Client, to: string): Promise<void> {
    const asked = await browser.post('/my-profile', { intent: 'email', email: to, password: PASSWORD })
    expect(asked.status).toBe(200)
    expect((await press(browser, await changeLink(to), 'confirm')).status).toBe(200)
    expect(await browser.user()).toMatchObject({ email: to })
  }

  it('can be refused, but not confirmed, by a stranger who gets the mail', async () => {
    const email = anEmail('owner')
    const stranger = anEmail('stranger')
    const { vendorName } = await leavesTraces(stranger)
    const attacker = await verified(email)
    await attacker.post('/my-profile', { intent: 'email', email: stranger, password: PASSWORD })
    const link = await changeLink(stranger)
    const victim = aBrowser()
    const opened = await visible(await victim.get(link))
    expect(opened).toContain(stranger)
    expect(opened).not.toContain(email)
    expect((await press(victim, link, 'confirm')).status).toBe(400)
    expect((await press(victim, link, 'not-me')).status).toBe(200)
    expect((await press(attacker, link, 'confirm')).status).toBe(400)
    expect(await attacker.user()).toMatchObject({ email, emailVerified: true })
    expect(await (await attacker.get('/my-bookings')).text()).not.toContain(vendorName)
  })

  it('can be undone once from the notice to the old address, without a session', async () => {
    const email = anEmail('owner')
    const owner = await verified(email)
    const thief = owner.copy()
    const to = anEmail('thief')
    await changed(thief, to)
    const notice = await mailTo(server, email, /email was changed/)
    expect(notice.text).not.toContain(to)
    const undo = linkIn(notice)
    const browser = aBrowser()
    expect(await visible(await browser.get(undo))).toContain(`Your account gets ${email} back.`)
    expect(await owner.user()).toMatchObject({ email: to })

    const answer = await browser.post(undo, { token: tokenIn(undo) })
    expect(answer.status).toBe(302)
    const reset = answer.headers.get('location') ?? ''
    expect(reset).toMatch(/^\/reset-password\?token=/)
    expect(await userOf(email)).toMatchObject({ email_verified: true })
    expect(await thief.user()).toBeNull()
    for (const address of [email, to])
      expect((await aBrowser().post('/login', { email: address, password: PASSWORD })).status).toBe(400)
    await mailTo(server, to, /email was changed back/)

    const fields = { token: tokenIn(reset), password: 'a new start' }
    expect((await browser.post('/reset-password', fields)).status).toBe(200)
    expect((await browser.post('/login', { email, password: 'a new start' })).status).toBe(302)
    const again = await aBrowser().post(undo, { token: tokenIn(undo) })
    expect(again.status).toBe(400)
    expect(await visible(again)).toContain('The change may be undone already.')
  })

  it('can be undone for seven days, and a later attempt is told so', async () => {
    const email = anEmail('owner')
    const owner = await verified(email)
    const to = anEmail('moved')
    await changed(owner, to)
    const undo = linkIn(await mailTo(server, email, /email was changed/))
    skippedMs = 7 * DAY_MS
    const late = await aBrowser().post(undo, { token: tokenIn(undo) })
    skippedMs = 0
    expect(late.status).toBe(400)
    expect(await visible(late)).toContain('This link has expired: a change can be undone for seven days.')
    expect(await owner.user()).toMatchObject({ email: to })
    for (const fields of [{}, { token: '' }, { token: 'x'.repeat(10_000) }, { token: `${tokenIn(undo)}x` }])
      expect((await aBrowser().post('/undo-email-change', fields as Record<string, string>)).status).toBe(400)
    expect(await owner.user()).toMatchObject({ email: to })
  })

  it('notifies the addresses that the account has left before, too', async () => {
    const [first, second, third] = [anEmail('first'), anEmail('second'), anEmail('third')]
    const owner = await verified(first)
    await changed(owner, second)
    const undo = linkIn(await mailTo(server, first, /email was changed/))
    await changed(owner, third)
    const told = await mailTo(server, first, /changed again/)
    expect(told.text).not.toContain(third)
    await mailTo(server, second, /email was changed$/)
    // The first address still gets the account back.
    expect((await aBrowser().post(undo, { token: tokenIn(undo) })).status).toBeLessThan(400)
    expect(
      await server.services.db
        .selectFrom('users')
        .select('email')
        .where('email', '=', first)
        .executeTakeFirst(),
    ).toEqual({ email: first })
  })

  it('reveals nothing of the account to an old address that was never confirmed', async () => {
    const email = anEmail('mistyped')
    const owner = await signedUp(email)
    const to = anEmail('right')
    await changed(owner, to)
    const mail = await mailTo(server, email, /no longer belongs to a Jubilee account/)
    expect(mail.text).not.toContain(to)
    expect(mail.text).not.toContain('Robin Vale')
    expect(linkIn(mail)).toBe('/advice-support')
  })
})

describe('the newsletter of an address', () => {
  const subscription = (email: string) =>
    server.services.db.selectFrom('newsletter').selectAll().where('email', '=', email).executeTakeFirst()

  it('can be neither seen nor ended by an account that has not confirmed the address', async () => {
    const email = anEmail('reader')
    expect((await aBrowser().post('/newsletter', { email })).status).toBe(200)
    const before = await subscription(email)
    expect(before).toMatchObject({ unsubscribed_at: null })
    const stranger = await signedUp(email)
    const unsubscribed = await signedUp(anEmail())
    const settings = await visible(await stranger.get('/settings-privacy'))
    expect(settings).not.toContain('name="newsletter"')
    expect(settings).toContain('Confirm your email under My Profile')
    // Both pages are the same, so nobody can find out who subscribes.
    expect(settings.replaceAll(email, '')).toBe(
      (await visible(await unsubscribed.get('/settings-privacy'))).replaceAll(unsubscribed.email, ''),
    )
    expect(await (await stranger.get('/settings-privacy/my-data.json')).json()).toMatchObject({
      newsletter: null,
    })
    await stranger.post('/settings-privacy', { intent: 'mails' })
    expect(await subscription(email)).toEqual(before)
    await stranger.post('/confirm-deletion', { intent: 'delete', password: PASSWORD })
    expect(await stranger.user()).toBeNull()
    expect(await subscription(email)).toEqual(before)
  })

  it('can be managed by the account that has confirmed the address', async () => {
    const email = anEmail('reader')
    const owner = await verified(email)
    await owner.post('/settings-privacy', { intent: 'mails', newsletter: 'on' })
    expect(await subscription(email)).toMatchObject({ unsubscribed_at: null })
    expect(await visible(await owner.get('/settings-privacy'))).toContain('name="newsletter"')
    expect(await (await owner.get('/settings-privacy/my-data.json')).json()).toMatchObject({
      newsletter: { email },
    })
    await owner.post('/settings-privacy', { intent: 'mails' })
    expect((await subscription(email))?.unsubscribed_at).not.toBeNull()
    await owner.post('/confirm-deletion', { intent: 'delete', password: PASSWORD })
    expect(await subscription(email)).toBeUndefined()
  })
})
