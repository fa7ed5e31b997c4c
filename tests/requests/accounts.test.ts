import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../app/shared/ids.ts'
import { Client, PASSWORD } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { ageProofs } from '../proofs.ts'
import { linkIn, mailTo as mailOf } from '../sent-mails.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer
let owner: Browser
let other: Browser
let disabled: Browser
let nobody: Browser

beforeAll(async () => {
  // With a trusted proxy, X-Forwarded-For names the client, so each browser has its own limits.
  server = await startServer({ openDatabase: openTestDatabase, env: { TRUSTED_PROXY: '1' } })
  nobody = new Browser()
  owner = await signedUp('owner@example.com')
  other = await signedUp('other@example.com')
  disabled = await signedUp('disabled@example.com')
  await server.services.db
    .updateTable('users')
    .set({ disabled_at: new Date(), disabled_reason: 'a test' })
    .where('email', '=', 'disabled@example.com')
    .execute()
})
afterAll(() => server.close())

class Browser extends Client {
  constructor() {
    super(server)
  }
}

const mailTo = (email: string, subject: RegExp) => mailOf(server, email, subject)

async function signedUp(email: string): Promise<Browser> {
  const browser = new Browser()
  await browser.signUp(email, { displayName: `Robin of ${email.split('@')[0]}` })
  return browser
}

/** Returns the rest of a stream's text once the stream has ended. */
async function restOf(stream: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<string> {
  let text = ''
  for (;;) {
    const { done, value } = (await stream?.read()) ?? { done: true, value: undefined }
    if (done) return text
    text += new TextDecoder().decode(value)
  }
}

const users = (email: string) => server.services.db.selectFrom('users').selectAll().where('email', '=', email)

const GUARDED = [
  '/my-profile',
  '/my-bookings',
  '/notifications',
  '/settings-privacy',
  '/confirm-deactivation',
  '/confirm-deletion',
  '/userdashboard/user',
]

describe('a sign-in on a new device', () => {
  const PHONE = { 'user-agent': 'Mozilla/5.0 (iPhone) Version/19.0 Safari/604.1' }

  it('sends a mail, whose link signs everybody out and leads to a new password at a press', async () => {
    const email = 'robbed@example.com'
    const browser = await signedUp(email)
    const thief = new Browser()
    expect((await thief.post('/login', { email, password: PASSWORD }, { headers: PHONE })).status).toBe(302)
    const mail = await mailTo(email, /^New login/)
    expect(mail.text).toContain('Safari on iPhone')
    const link = linkIn(mail)
    const token = link.split('token=')[1] ?? ''
    const reader = new Browser()
    expect(await (await reader.get(link)).text()).toContain('Log out everywhere')
    expect((await reader.post('/not-me', { token: 'another' })).status).toBe(400)
    expect(
      (await reader.post('/not-me', { token }, { headers: { origin: 'https://evil.example' } })).status,
    ).toBe(403)
    expect((await thief.user())?.email).toBe(email)

    const pressed = await reader.post('/not-me', { token })
    expect(pressed.status).toBe(302)
    expect(await browser.user()).toBeNull()
    expect(await thief.user()).toBeNull()
    expect((await thief.post('/login', { email, password: PASSWORD })).status).toBe(400)
    const reset = pressed.headers.get('location') ?? ''
    expect(reset).toMatch(/^\/reset-password\?token=/)
    const fields = { token: reset.split('token=')[1] ?? '', password: 'a second password' }
    expect((await reader.post('/reset-password', fields)).status).toBe(200)
    expect((await reader.post('/login', { email, password: 'a second password' })).status).toBe(302)
    expect((await reader.post('/not-me', { token })).status).toBe(400)
  })

  it('sends no mail to a person who has turned it off', async () => {
    const email = 'not-told@example.com'
    const browser = await signedUp(email)
    await browser.post('/settings-privacy', { intent: 'mails', newBookings: 'on' })
    await new Browser().post('/login', { email, password: PASSWORD }, { headers: PHONE })
    const other = 'told@example.com'
    await signedUp(other)
    await new Browser().post('/login', { email: other, password: PASSWORD }, { headers: PHONE })
    await mailTo(other, /^New login/)
    const mails = (await server.services.outbox?.list(100)) ?? []
    expect(mails.filter((mail) => mail.to === email && mail.subject.startsWith('New login'))).toEqual([])
  })
})

describe('screens for signed-in people', () => {
  it.each(GUARDED)(
    '%s redirects guests and disabled accounts to /login and shows others their own data',
    async (path) => {
      for (const browser of [nobody, disabled.copy()]) {
        const response = await browser.get(path)
        expect(response.status).toBe(302)
        expect(response.headers.get('location')).toBe(`/login?next=${encodeURIComponent(path)}`)
      }
      for (const browser of [owner, other]) {
        const response = await browser.get(path)
        expect(response.status).toBe(200)
        expect(response.headers.get('content-security-policy')).toContain("script-src 'self'")
        const html = await response.text()
        const stranger = browser === owner ? other : owner
        expect(html).not.toContain(stranger.email)
      }
    },
  )

  it('show each person their own email address', async () => {
    for (const browser of [owner, other]) {
      expect(await (await browser.get('/my-profile')).text()).toContain(browser.email)
    }
  })

  it('export personal data to its owner only', async () => {
    const path = '/settings-privacy/my-data.json'
    expect((await nobody.get(path)).status).toBe(302)
    expect((await disabled.copy().get(path)).status).toBe(302)
    const response = await owner.get(path)
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect(response.headers.get('content-disposition')).toContain('attachment')
    const text = await response.text()
    expect(JSON.parse(text)).toMatchObject({ account: { email: owner.email } })
    expect(text).not.toContain(other.email)
  })

  it.each(['/userdashboard', '/userdashboard/', '/userdashboard/anything', '/userdashboard/user/more'])(
    '%s redirects to /userdashboard/user',
    async (path) => {
      for (const browser of [nobody, disabled.copy(), owner]) {
        const response = await browser.get(path)
        expect(response.status).toBe(302)
        expect(response.headers.get('location')).toBe('/userdashboard/user')
      }
    },
  )
})

describe('screens around signing in', () => {
  it.each(['/login', '/signup'])('%s redirects signed-in visitors within this site only', async (path) => {
    expect((await nobody.get(path)).status).toBe(200)
    const to = async (next: string) =>
      (await owner.get(`${path}?next=${encodeURIComponent(next)}`)).headers.get('location')
    expect(await to('/book/tide-house?from=cart')).toBe('/book/tide-house?from=cart')
    for (const elsewhere of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      '/\t/x',
    ]) {
      expect(await to(elsewhere)).toBe('/')
    }
  })

  it('pass the next path on between Log In and Sign Up', async () => {
    expect(await (await nobody.get('/login?next=/cart')).text()).toContain('/signup?next=%2Fcart')
    expect(await (await nobody.get('/signup?next=/cart')).text()).toContain('/login?next=%2Fcart')
    // The form posts to the page's own address, and no link leads to another site.
    const html = await (await nobody.get('/login?next=//evil.example')).text()
    expect(html).toContain('href="/signup"')
    expect(html).not.toMatch(/href="[^"]*evil/)
  })

  it.each([
    '/forgot-password',
    '/reset-password?token=x',
    '/verify-email?token=x',
    '/undo-email-change?token=x',
    '/not-me?token=x',
    '/account-closed',
    '/logout',
  ])('%s opens for everyone and changes nothing', async (path) => {
    for (const browser of [nobody, owner, disabled.copy()]) expect((await browser.get(path)).status).toBe(200)
    expect(await owner.user()).not.toBeNull()
  })

  it('send other sites no referrer, which would reveal a link’s token', async () => {
    for (const path of [
      '/reset-password?token=x',
      '/verify-email?token=x',
      '/undo-email-change?token=x',
      '/not-me?token=x',
    ]) {
      expect(await (await nobody.get(path)).text()).toContain('<meta name="referrer" content="same-origin"')
    }
  })

  it('offer reactivation to deactivated accounts only', async () => {
    for (const browser of [nobody, owner, disabled.copy()]) {
      expect((await browser.get('/reactivate')).headers.get('location')).toBe('/login')
      expect((await browser.copy().post('/reactivate')).headers.get('location')).toBe('/login')
    }
  })
})

describe('forms for signed-in people', () => {
  const forms: [path: string, fields: Record<string, string>][] = [
    ['/my-profile', { intent: 'profile', displayName: 'Taken Over' }],
    ['/my-profile', { intent: 'email', email: 'taken-over@example.com', password: PASSWORD }],
    ['/my-profile', { intent: 'verification' }],
    ['/my-profile', { intent: 'remove-photo' }],
    ['/new-email', { email: 'taken-over@example.com', password: PASSWORD }],
    ['/notifications', { intent: 'all' }],
    ['/notifications', { intent: 'read', id: 'x' }],
    ['/settings-privacy', { intent: 'password', currentPassword: PASSWORD, newPassword: 'taken over' }],
    ['/settings-privacy', { intent: 'session', session: 'x' }],
    ['/settings-privacy', { intent: 'all-sessions' }],
    ['/settings-privacy', { intent: 'mails' }],
    ['/confirm-deactivation', {}],
    ['/confirm-deletion', { intent: 'decline' }],
    ['/confirm-deletion', { intent: 'delete', password: PASSWORD }],
  ]

  it.each(forms)('%s %o is refused for guests and disabled accounts', async (path, fields) => {
    const before = await server.services.db.selectFrom('users').selectAll().orderBy('id').execute()
    for (const browser of [nobody, disabled.copy()]) {
      const response = await browser.post(path, fields)
      expect(response.status).toBe(302)
      expect(response.headers.get('location')).toMatch(/^\/login/)
    }
    expect(await server.services.db.selectFrom('users').selectAll().orderBy('id').execute()).toEqual(before)
  })

  it.each([
    ...forms,
    ['/login', { email: 'owner@example.com', password: PASSWORD }],
    ['/logout', {}],
  ] as typeof forms)('%s %o is refused when another site sends it', async (path, fields) => {
    for (const origin of ['https://evil.example', 'null']) {
      expect((await owner.copy().post(path, fields, { headers: { origin } })).status).toBe(403)
    }
    expect(await owner.user()).not.toBeNull()
  })

  it('can’t reach another account’s notifications', async () => {
    const { db } = server.services
    const id = newId()
    const ownerId = (await owner.user())?.uid ?? ''
    await db
      .insertInto('notifications')
      .values({
        id,
        user_id: ownerId,
        kind: 'x',
        title: 'For the owner',
        link: '/',
        event_key: id,
        read_at: null,
      })
      .execute()
    const readAt = async () =>
      (await db.selectFrom('notifications').select('read_at').where('id', '=', id).executeTakeFirstOrThrow())
        .read_at
    await other.post('/notifications', { intent: 'read', id })
    await other.post('/notifications', { intent: 'all' })
    expect(await readAt()).toBeNull()
    expect(await (await other.get('/notifications')).text()).not.toContain('For the owner')
    await owner.post('/notifications', { intent: 'read', id })
    expect(await readAt()).not.toBeNull()
  })

  it('can’t end another account’s session', async () => {
    const row = await server.services.db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select('sessions.id')
      .where('users.email', '=', owner.email)
      .executeTakeFirstOrThrow()
    await other.post('/settings-privacy', { intent: 'session', session: row.id })
    expect(await owner.user()).not.toBeNull()
  })

  it('reject an unknown intent with 400', async () => {
    expect((await owner.post('/my-profile', { intent: 'become-operator' })).status).toBe(400)
    expect((await owner.post('/settings-privacy', {})).status).toBe(400)
  })

  it.each([
    ['a common password', 'Sunshine1', 'kim.common@example.com'],
    ['the address', 'my kim.lee 2026', 'kim.lee@example.com'],
    ['the brand', 'jubilee for ever', 'kim.brand@example.com'],
  ])('refuse %s when a person chooses it, beside the field', async (_, password, email) => {
    const refusedWell = async (response: Response, field: string) => {
      expect(response.status).toBe(400)
      const html = await response.text()
      expect(html).toContain('This password is too easy to guess. Choose another one.')
      expect(html).toMatch(new RegExp(`aria-invalid="true"[^>]*name="${field}"`))
      expect(html).not.toContain(password)
    }
    await refusedWell(
      await new Browser().post('/signup', { displayName: 'Kim', email, password }),
      'password',
    )
    expect(await users(email).execute()).toEqual([])

    const weak = new Browser()
    await weak.signUp(email, { displayName: 'Kim' })
    const change = { intent: 'password', currentPassword: PASSWORD, newPassword: password }
    await refusedWell(await weak.post('/settings-privacy', change), 'newPassword')

    await weak.post('/forgot-password', { email })
    const token = linkIn(await mailTo(email, /^Choose a new password/)).split('token=')[1] ?? ''
    await refusedWell(await weak.post('/reset-password', { token, password }), 'password')
  })

  it('change the password of a browser without scripts, which stays signed in', async () => {
    const browser = await signedUp('without-scripts@example.com')
    const change = { intent: 'password', currentPassword: PASSWORD, newPassword: `${PASSWORD} again` }
    const changed = await browser.post('/settings-privacy', change, { headers: { accept: 'text/html' } })
    expect([changed.status, changed.headers.get('location')]).toEqual([302, '/settings-privacy'])
    expect((await browser.get('/settings-privacy')).status).toBe(200)
  })

  it('keep typed values, but never a password', async () => {
    const response = await nobody
      .copy()
      .post('/login', { email: 'typo@example.com', password: 'my secret words' })
    expect(response.status).toBe(400)
    const html = await response.text()
    expect(html).toContain('typo@example.com')
    expect(html).not.toContain('my secret words')
    expect(html).not.toMatch(/invalid-credential|wrong-password|user-not-found/)
  })
})

describe('a name', () => {
  const LINK = 'can’t contain a web address, email address or phone number'

  it.each([
    ['evil.example', LINK],
    ['Claim it at https://evil', LINK],
    ['Robin\r\nVale', 'Type this on one line'],
    ['Robin \u2028 Vale', 'Type this on one line'],
    ['x'.repeat(81), 'Use at most 80 characters.'],
  ])('%j is refused at sign-up and in the profile, and nothing typed is lost', async (displayName, why) => {
    const email = 'no-such-account@example.com'
    const signUp = await new Browser().post('/signup', { displayName, email, password: PASSWORD })
    expect(signUp.status).toBe(400)
    const page = await signUp.text()
    expect(page).toContain(why)
    expect(page).toContain(email)
    expect(await users(email).execute()).toEqual([])
    const before = (await users(owner.email).executeTakeFirstOrThrow()).name
    const profile = await owner.post('/my-profile', { intent: 'profile', displayName })
    expect(profile.status).toBe(400)
    expect(await profile.text()).toContain(why)
    expect((await users(owner.email).executeTakeFirstOrThrow()).name).toBe(before)
  })
})

describe('a photo', () => {
  const sendPhoto = async (browser: Browser, bytes: BlobPart, name = 'me.png') => {
    const photo = new File([bytes], name, { type: 'image/png' })
    return browser.post('/my-profile', { intent: 'photo', photo })
  }

  it('reaches visitors re-encoded, until it is removed', async () => {
    const { default: sharp } = await import('sharp')
    const png = await sharp({ create: { width: 900, height: 300, channels: 3, background: '#B92B3A' } })
      .png()
      .toBuffer()
    expect((await sendPhoto(owner, new Uint8Array(png))).status).toBe(200)
    const url = (await users(owner.email).executeTakeFirstOrThrow()).image ?? ''
    const served = await nobody.get(url)
    expect(served.headers.get('content-type')).toBe('image/webp')
    const { width, height } = await sharp(await served.arrayBuffer()).metadata()
    expect([width, height]).toEqual([512, 512])
    await owner.post('/my-profile', { intent: 'remove-photo' })
    // A job deletes it, so that a file store that fails refuses no removal.
    await expect.poll(async () => (await nobody.get(url)).status, { timeout: 20_000 }).toBe(404)
  })

  it('answers 400 when the file is an SVG, broken or too large', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    expect((await sendPhoto(owner, svg, 'me.svg')).status).toBe(400)
    expect(
      (await sendPhoto(owner, new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2]))).status,
    ).toBe(400)
    expect((await sendPhoto(owner, new Uint8Array(2_097_153))).status).toBe(400)
  })

  it.each(['/photos/..%2f..%2fsecret', '/photos/x.webp', '/photos/x'])('%s answers 404', async (path) => {
    expect((await nobody.get(path)).status).toBe(404)
  })
})

describe('account endpoints', () => {
  it('/api/session returns the signed-in user, or why the session ended', async () => {
    expect(await (await nobody.get('/api/session')).json()).toMatchObject({ user: null, ended: null })
    expect(await owner.user()).toMatchObject({ email: owner.email })
    const gone = disabled.copy()
    const known = 'jubilee.known_browser'
    expect([...gone.cookies.keys()].toSorted()).toEqual([known, 'jubilee.session_token', 'jubilee_signed_in'])
    const response = await gone.get('/api/session')
    expect(await response.json()).toMatchObject({ user: null, ended: 'user-disabled' })
    expect(response.headers.get('cache-control')).toBe('no-store')
    // A late answer would remove the cookies of a session that has begun since.
    expect(response.headers.getSetCookie()).toEqual([])
  })

  it('/login explains once why the session ended, and clears its cookies', async () => {
    const gone = disabled.copy()
    expect(await (await gone.get('/login?next=/my-profile')).text()).toContain('This account is disabled.')
    expect([...gone.cookies.keys()]).toEqual(['jubilee.known_browser'])
    expect(await (await gone.get('/login?next=/my-profile')).text()).not.toContain(
      'This account is disabled.',
    )
  })

  it('/api/password-policy is open to everyone', async () => {
    for (const browser of [nobody, owner, disabled.copy()]) {
      expect(await (await browser.get('/api/password-policy')).json()).toMatchObject({
        schemaVersion: 1,
        customStrengthOptions: { minPasswordLength: 6 },
      })
    }
  })

  it('/api/live.data answers 404 instead of holding the request open', async () => {
    expect((await owner.copy().get('/api/live.data?subject=notifications')).status).toBe(404)
  })

  it('/api/live requires a session and ends with it', async () => {
    const path = '/api/live?subject=notifications'
    expect((await nobody.get(path)).status).toBe(204)
    expect((await disabled.copy().get(path)).status).toBe(204)
    const browser = await signedUp('listener@example.com')
    const stream = (await browser.get(path)).body?.getReader()
    expect(new TextDecoder().decode((await stream?.read())?.value)).toContain('retry')
    await browser.post('/settings-privacy', { intent: 'all-sessions' })
    // The stream's last event gives the reason, so the page needs no further request.
    expect(await restOf(stream)).toBe('event: over\ndata: session\n\n')
    expect((await browser.get(path)).status).toBe(204)
  })

  it('/logout answers 503 when it fails, and keeps the session and its cookies', async () => {
    const { db } = server.services
    const browser = await signedUp('stays@example.com')
    const cookies = new Map(browser.cookies)
    await sql`create function refuse_deletion() returns trigger language plpgsql as
      $$ begin raise exception 'sessions can not be deleted'; end $$`.execute(db)
    await sql`create trigger refuse_deletion before delete on sessions
      for each row execute function refuse_deletion()`.execute(db)
    try {
      const answer = await browser.post('/logout')
      expect(answer.status).toBe(503)
      expect(answer.headers.getSetCookie()).toEqual([])
      const html = await answer.text()
      expect(html).toContain('You are still logged in')
      expect(html).toContain('Logging out failed. Check your connection and try again.')
    } finally {
      await sql`drop trigger refuse_deletion on sessions`.execute(db)
      await sql`drop function refuse_deletion`.execute(db)
    }
    expect(browser.cookies).toEqual(cookies)
    expect((await browser.user())?.email).toBe('stays@example.com')
    expect((await browser.post('/logout')).headers.get('location')).toBe('/')
    expect(await browser.user()).toBeNull()
  })

  it('/api/live closes only the streams of the session that was signed out or replaced', async () => {
    const path = '/api/live?subject=notifications'
    const phone = await signedUp('two-devices@example.com')
    const laptop = new Browser()
    const logIn = (browser: Browser, email: string) => browser.post('/login', { email, password: PASSWORD })
    expect((await logIn(laptop, phone.email)).status).toBe(302)
    const onPhone = (await phone.get(path)).body?.getReader()
    const onLaptop = (await laptop.get(path)).body?.getReader()
    for (const stream of [onPhone, onLaptop]) await stream?.read()

    await phone.post('/logout')
    expect(await restOf(onPhone)).toBe('event: over\ndata: session\n\n')
    expect((await laptop.user())?.email).toBe(phone.email)

    // The laptop's stream is still open. It ends with its own session.
    await logIn(laptop, 'other@example.com')
    expect(await restOf(onLaptop)).toBe('event: over\ndata: session\n\n')
  })

  it('/api/live keeps at most 20 streams per account: a new one closes the oldest with the reason', async () => {
    const path = '/api/live?subject=notifications'
    const crowd = await signedUp('crowd@example.com')
    const bystander = await signedUp('bystander@example.com')
    const open = async (browser: Browser) => {
      const stream = (await browser.get(path)).body?.getReader()
      await stream?.read()
      return stream
    }
    const before = server.services.liveUpdates.subscribers()
    const other = await open(bystander)
    const streams = []
    for (let count = 0; count < 100; count++) streams.push(await open(crowd))
    expect(server.services.liveUpdates.subscribers() - before).toBe(21)
    for (const closed of streams.slice(0, 80))
      expect(await restOf(closed)).toBe('retry: 3600000\nevent: over\ndata: crowded\n\n')
    for (const stream of [other, ...streams.slice(80)]) await stream?.cancel()
    expect(server.services.liveUpdates.subscribers()).toBe(before)
  })

  it('the account library’s own routes under /api/auth answer 404', async () => {
    for (const path of [
      '/api/auth/get-session',
      '/api/auth/sign-in/email',
      '/api/auth/list-sessions',
      '/api/auth/ok',
    ]) {
      expect((await owner.get(path)).status).toBe(404)
    }
  })
})

describe('concurrent sign-ups with one email', () => {
  it('create exactly one account', async () => {
    const email = 'race@example.com'
    const responses = await Promise.all(
      [new Browser(), new Browser(), new Browser()].map((browser) =>
        browser.post('/signup', { displayName: 'Racer', email, password: PASSWORD }),
      ),
    )
    expect(responses.map(({ status }) => status).toSorted()).toEqual([302, 400, 400])
    expect(await users(email).execute()).toHaveLength(1)
  })
})

describe('the life cycle of an account', () => {
  it('works from sign-up to deletion by the links in its mails', async () => {
    const email = 'whole-life@example.com'
    const browser = await signedUp(email)

    // Verification: opening the link changes nothing, pressing the button does, once.
    const verification = await mailTo(email, /^Confirm your email/)
    // The address is unverified, so its mail must not repeat anything that was typed.
    expect(JSON.stringify(verification)).not.toContain('Robin')
    const verify = linkIn(verification)
    await browser.get(verify)
    expect(await browser.user()).toMatchObject({ emailVerified: false })
    const press = (link: string) =>
      browser.post(link, {
        intent: 'confirm',
        token: new URL(link, server.origin).searchParams.get('token') ?? '',
      })
    expect((await press(verify)).status).toBe(200)
    expect(await browser.user()).toMatchObject({ emailVerified: true })
    expect((await press(verify)).status).toBe(400)

    // Sign-out.
    const old = browser.copy()
    expect((await browser.post('/logout')).headers.get('location')).toBe('/')
    expect([...browser.cookies.keys()]).toEqual(['jubilee.known_browser'])
    expect(await old.user()).toBeNull()

    // Reset: the answer is the same for an unknown address, and all sessions end.
    const elsewhere = new Browser()
    await elsewhere.post('/login', { email, password: PASSWORD })
    expect(await elsewhere.user()).not.toBeNull()
    const known = await browser.post('/forgot-password', { email })
    const unknown = await browser.post('/forgot-password', { email: 'no-such-person@example.com' })
    const visible = (html: string) => html.replace(/nonce-\S+|<script[\s\S]*?<\/script>/g, '')
    expect(visible(await known.text())).toBe(visible(await unknown.text()))
    const reset = linkIn(await mailTo(email, /^Choose a new password/))
    const token = new URL(reset, server.origin).searchParams.get('token') ?? ''
    expect((await browser.post('/reset-password', { token, password: '12345' })).status).toBe(400)
    expect((await browser.post('/reset-password', { token, password: 'a second password' })).status).toBe(200)
    expect((await browser.post('/reset-password', { token, password: 'a third password' })).status).toBe(400)
    expect(await elsewhere.user()).toBeNull()
    await mailTo(email, /password was changed/)

    // Sign-in returns to the requested page.
    expect((await browser.post('/login', { email, password: PASSWORD })).status).toBe(400)
    const signedIn = await browser.post('/login?next=/my-profile', { email, password: 'a second password' })
    expect(signedIn.headers.get('location')).toBe('/my-profile')

    // Change of email.
    const newEmail = 'another-life@example.com'
    const change = { intent: 'email', email: newEmail, password: 'a second password' }
    expect((await browser.post('/my-profile', change)).status).toBe(200)
    expect(await browser.user()).toMatchObject({ email })
    expect((await press(linkIn(await mailTo(newEmail, /^Confirm your new email/)))).status).toBe(200)
    expect(await browser.user()).toMatchObject({ email: newEmail, emailVerified: true })
    await mailTo(email, /email was changed/)

    // Deactivation.
    const paused = await browser.post('/confirm-deactivation')
    expect(paused.headers.get('location')).toBe('/account-closed?how=deactivated')
    expect(await browser.user()).toBeNull()
    const back = await browser.post('/login?next=/my-profile', {
      email: newEmail,
      password: 'a second password',
    })
    expect(back.headers.get('location')).toBe('/reactivate?next=%2Fmy-profile')
    expect(await browser.user()).toBeNull()
    expect((await browser.get('/my-profile')).headers.get('location')).toMatch(/^\/login/)
    expect((await browser.get('/login')).headers.get('location')).toBe('/reactivate')
    expect(await (await browser.get('/reactivate')).text()).toContain('Reactivate my account')
    expect((await browser.post('/reactivate?next=/my-profile')).headers.get('location')).toBe('/my-profile')
    expect(await browser.user()).toMatchObject({ email: newEmail })

    // Deletion.
    await ageProofs(server.services.db, 11, newEmail)
    expect((await browser.post('/confirm-deletion', { intent: 'delete', proof: 'wrong' })).status).toBe(400)
    const deleted = await browser.post('/confirm-deletion', {
      intent: 'delete',
      proof: 'a second password',
    })
    expect(deleted.headers.get('location')).toBe('/account-closed?how=deleted')
    expect(await browser.user()).toBeNull()
    expect(await users(newEmail).execute()).toEqual([])
    await mailTo(newEmail, /account is deleted/)
    expect((await browser.post('/login', { email: newEmail, password: 'a second password' })).status).toBe(
      400,
    )
  }, 90_000)

  it('leaves no link token in the job queue', async () => {
    const rows = await server.services.db
      // The queue library's own table, absent from the product's types.
      .selectFrom('jobs.job' as never)
      .selectAll()
      .execute()
    const links = (rows as { name: string; data: object }[]).filter(
      ({ name }) => name === 'send-account-link',
    )
    expect(links.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain('token=')
  })
})
