import { randomBytes } from 'node:crypto'
import { type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'

/**
 * People's actions on the running product over HTTP, without a browser: the same requests in the same order, with a
 * browser's headers and cookies. No function throws: `onStep` and the caller both get the error of an unexpected
 * response.
 */

const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0'
const ACCEPT_ENCODING = 'gzip, deflate, br, zstd'
const PAGE_ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
/** A proxy's usual time limit. */
const ANSWER_MS = 60_000
const ERROR_TEXT_LENGTH = 300

/** One request and its result. */
export type Step = {
  kind: string
  /** The request's method and path, without ids and words, so that similar ones count together. */
  what: string
  /** 0 without a response. */
  status: number
  /** From the first byte sent to the last received. */
  ms: number
  /** The problem of an unexpected response, with its first words; null for an expected one. */
  error: string | null
}

export type Answer = Step & { headers: IncomingHttpHeaders; text: string }

type Asked = {
  kind: string
  what: string
  path: string
  form?: Record<string, string>
  json?: object
  /** The body of a beacon. */
  beacon?: string
  /** The expected statuses. */
  expect: readonly number[]
  headers?: OutgoingHttpHeaders
  /** Whether to return the response's text; otherwise it is discarded. */
  reads?: boolean
  /** Returns the problem of an expected response's text, or null. */
  check?: (text: string) => string | null
}

/** A person with a browser of their own. */
export type Visitor = { ask(asked: Asked): Promise<Answer>; readonly cookies: Map<string, string> }

/**
 * @param options.origin the product's origin
 * @param options.agent the connections to use; one with `maxSockets: 1` is one browser's only connection
 * @param options.address the visitor's address in X-Forwarded-For (TRUSTED_PROXY=1), by which limits count
 * @param options.onStep receives each result
 * @param options.cookies of a browser that has visited before; responses update them
 * @param options.answerMs the time limit of a response
 */
export function createVisitor(options: {
  origin: string
  agent: Agent
  address: string
  onStep: (step: Step) => void
  cookies?: Map<string, string>
  answerMs?: number
}): Visitor {
  const { origin, agent, onStep, cookies = new Map<string, string>(), answerMs = ANSWER_MS } = options

  function headersOf({ form, json, beacon, headers }: Asked, body: string | null): OutgoingHttpHeaders {
    const all: OutgoingHttpHeaders = {
      'user-agent': USER_AGENT,
      accept: json || beacon ? '*/*' : PAGE_ACCEPT,
      'accept-language': 'en-AU,en;q=0.7',
      'accept-encoding': ACCEPT_ENCODING,
      'x-forwarded-for': options.address,
    }
    if (cookies.size > 0) all.cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ')
    if (body !== null) {
      all.origin = origin
      all['content-type'] = form
        ? 'application/x-www-form-urlencoded;charset=UTF-8'
        : json
          ? 'application/json'
          : 'text/plain;charset=UTF-8'
      all['content-length'] = Buffer.byteLength(body)
    }
    return headers ? { ...all, ...headers } : all
  }

  function keepCookies(headers: IncomingHttpHeaders): void {
    for (const cookie of headers['set-cookie'] ?? []) {
      const pair = cookie.split(';', 1)[0] ?? ''
      const name = pair.slice(0, pair.indexOf('='))
      if (/max-age=0(;|$)/i.test(cookie)) cookies.delete(name)
      else cookies.set(name, pair.slice(name.length + 1))
    }
  }

  return {
    cookies,
    ask(asked) {
      const { kind, what, form, json, beacon, expect } = asked
      const body = form
        ? new URLSearchParams(form).toString()
        : json
          ? JSON.stringify(json)
          : (beacon ?? null)
      const started = performance.now()
      return new Promise((resolve) => {
        let tries = 0
        const end = (status: number, headers: IncomingHttpHeaders, text: string, error: string | null) => {
          const step = { kind, what, status, ms: performance.now() - started, error }
          onStep(step)
          resolve({ ...step, headers, text })
        }
        let timer: NodeJS.Timeout | undefined
        const fail = (error: Error) => {
          clearTimeout(timer)
          end(0, {}, '', error.message || String(error))
        }
        const send = () => {
          tries++
          const sent = request(
            origin + asked.path,
            { agent, method: body === null ? 'GET' : 'POST', headers: headersOf(asked, body) },
            (answer) => {
              const status = answer.statusCode ?? 0
              const isExpected = expect.includes(status)
              const chunks: Buffer[] = []
              if (asked.reads || asked.check || !isExpected)
                answer.on('data', (chunk: Buffer) => chunks.push(chunk))
              else answer.resume()
              answer.once('error', fail)
              answer.once('end', () => {
                clearTimeout(timer)
                if (answer.headers['set-cookie']) keepCookies(answer.headers)
                const text = chunks.length > 0 ? readText(Buffer.concat(chunks), answer.headers) : ''
                const wrong = isExpected ? (asked.check?.(text) ?? null) : beginningOf(text)
                end(status, answer.headers, text, wrong)
              })
            },
          )
          timer = setTimeout(() => sent.destroy(new Error(`no response within ${answerMs} ms`)), answerMs)
          sent.once('error', (error: NodeJS.ErrnoException) => {
            // The server closed the idle connection at that moment: a read is sent again, as browsers do.
            const isUnheard = sent.reusedSocket && error.code === 'ECONNRESET' && body === null && tries === 1
            if (!isUnheard) return fail(error)
            clearTimeout(timer)
            send()
          })
          sent.end(body ?? undefined)
        }
        send()
      })
    },
  }
}

function readText(body: Buffer, headers: IncomingHttpHeaders): string {
  switch (headers['content-encoding']) {
    case 'br':
      return brotliDecompressSync(body).toString()
    case 'gzip':
      return gunzipSync(body).toString()
    case 'deflate':
      return inflateSync(body).toString()
    case 'zstd':
      return zstdDecompressSync(body).toString()
    default:
      return body.toString()
  }
}

/** The first words that a person would read. */
function beginningOf(text: string): string {
  const words = text
    .replace(/<(script|style)[\s\S]*?<\/\1>|<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return words.slice(0, ERROR_TEXT_LENGTH) || 'an empty response'
}

const isOk = (answer: Answer) => answer.error === null

// Looking around -------------------------------------------------------------------------------------------------

/**
 * Opens a public page.
 * @param etag of the browser's stored copy
 */
export function openPage(visitor: Visitor, path: string, etag?: string): Promise<Answer> {
  return visitor.ask({
    kind: 'public pages',
    what: `GET ${pathPattern(path)}`,
    path,
    expect: etag ? [200, 304] : [200],
    ...(etag ? { headers: { 'if-none-match': etag } } : {}),
  })
}

/** Reports a view, as a browser does once it shows a business's page. */
export async function reportView(visitor: Visitor, businessId: string): Promise<void> {
  await visitor.ask({
    kind: 'public pages',
    what: 'POST /api/view',
    path: '/api/view',
    beacon: businessId,
    expect: [204],
  })
}

function pathPattern(path: string): string {
  return path
    .replace(/\?.*/, '')
    .replace(/^\/business\/.+/, '/business/:id')
    .replace(/\/in\/.+/, '/in/:place')
}

/** Types some words: fetches suggestions for the typed text after each pause, then the list. */
export async function searchFor(visitor: Visitor, search: { typed: string[]; path: string }): Promise<void> {
  for (const text of search.typed) {
    await visitor.ask({
      kind: 'search',
      what: 'GET /api/suggestions',
      path: `/api/suggestions?q=${encodeURIComponent(text)}`,
      expect: [200],
    })
  }
  const ask = (path: string) =>
    visitor.ask({ kind: 'search', what: `GET ${pathPattern(path)}?…`, path, expect: [200, 302] })
  // Words that are a place become that place's search, to whose address the browser goes.
  const { status, headers } = await ask(search.path)
  if (status === 302 && headers.location) await ask(headers.location)
}

// Accounts -------------------------------------------------------------------------------------------------------

export type Account = { email: string; password: string }

const SIGNED_IN_PAGES = [
  '/my-bookings',
  '/my-profile',
  '/notifications',
  '/settings-privacy',
  '/userdashboard/user',
]

/** Fills in the sign-up form. @returns whether the new account is signed in */
export async function signUp(visitor: Visitor, account: Account & { displayName: string }): Promise<boolean> {
  if (!isOk(await visitor.ask(formPage('accounts', '/signup')))) return false
  const sent = { kind: 'accounts', what: 'POST /signup', path: '/signup', form: account, expect: [302] }
  return isOk(await visitor.ask(sent))
}

/** Fills in the sign-in form. @returns whether it worked */
export async function signIn(visitor: Visitor, account: Account): Promise<boolean> {
  if (!isOk(await visitor.ask(formPage('accounts', '/login')))) return false
  const sent = { kind: 'accounts', what: 'POST /login', path: '/login', form: account, expect: [302] }
  return isOk(await visitor.ask(sent))
}

const formPage = (kind: string, path: string) => ({ kind, what: `GET ${path}`, path, expect: [200] })

/** Fetches the session, as a browser does after signing in, and some private pages. @param count the number of pages */
export async function openAccountPages(visitor: Visitor, count: number): Promise<void> {
  await visitor.ask({
    kind: 'accounts',
    what: 'GET /api/session',
    path: '/api/session',
    expect: [200],
    check: (text) => (text.includes('"user":{') ? null : `no session: ${beginningOf(text)}`),
  })
  for (const path of SIGNED_IN_PAGES.slice(0, count)) await visitor.ask(formPage('accounts', path))
}

// Booking --------------------------------------------------------------------------------------------------------

/** A business as a customer sees it. */
export type Bookable = { id: string; priceCents: number; unit: 'perPerson' | 'perHour' }

/** A press of 'Proceed to Payment': from here on the product has state that it must not lose. */
export type StartedBooking = { businessId: string; submitKey: string; amountCents: number }

export type BookingOutcome =
  /** The product acknowledged payment and booking: exactly one booking with its payment must be stored. */
  | ({ outcome: 'booked'; reference: string; bookingId: string } & StartedBooking)
  /** The time is taken, or no time is free in that month. Nothing is paid. */
  | { outcome: 'refused' }
  /** A step failed: if it is paid, it must become a booking or be refunded. */
  | ({
      outcome: 'failed'
      at: string
      reference: string | null
      isPaid: boolean | 'unknown'
    } & StartedBooking)
  /** A step before the payment failed. */
  | { outcome: 'failed-early'; at: string }

const CARD = { cardNumber: '4242 4242 4242 4242', expiry: '12 / 39', cvc: '123' }

/**
 * Books a free time and pays with a test card: the form with its calendar, the payment, the card at the sandbox (which
 * sends its signed webhook to the product), the report, and the confirmation page.
 * @param slotRequest.month 'YYYY-MM', the month in which to find a free day
 * @param slotRequest.at selects one of the free days and times, from 0 to 1
 */
export async function book(
  visitor: Visitor,
  business: Bookable,
  slotRequest: { month: string; at: number; quantity: number; fullName: string; email: string },
): Promise<BookingOutcome> {
  const kind = 'booking'
  const read = async <Body>(what: string, asked: Pick<Asked, 'path' | 'json' | 'expect'>) => {
    const answer = await visitor.ask({ kind, what, reads: true, ...asked })
    return { ok: isOk(answer) && answer.status === 200, answer, body: parseJson<Body>(answer.text) }
  }
  const pick = <One>(list: readonly One[]) => list[Math.floor(slotRequest.at * list.length)]

  const formAnswer = await visitor.ask({
    ...formPage(kind, `/book/${business.id}`),
    what: 'GET /book/:id',
  })
  if (!isOk(formAnswer)) return { outcome: 'failed-early', at: formAnswer.what }
  const calendar = `/api/availability/${business.id}?type=${business.unit}&quantity=${slotRequest.quantity}`
  const month = await read<{ days: Record<string, string> }>('GET /api/availability?month', {
    path: `${calendar}&month=${slotRequest.month}`,
    expect: [200],
  })
  if (!month.ok) return { outcome: 'failed-early', at: month.answer.what }
  const date = pick(Object.entries(month.body?.days ?? {}).filter(([, state]) => state === 'free'))?.[0]
  if (!date) return { outcome: 'refused' }
  const day = await read<{ times: string[] }>('GET /api/availability?day', {
    path: `${calendar}&day=${date}`,
    expect: [200],
  })
  if (!day.ok) return { outcome: 'failed-early', at: day.answer.what }
  const time = pick(day.body?.times ?? [])
  if (!time) return { outcome: 'refused' }

  const started: StartedBooking = {
    businessId: business.id,
    submitKey: randomBytes(24).toString('hex'),
    amountCents: business.priceCents * slotRequest.quantity,
  }
  const { businessId, submitKey } = started
  const booking = {
    fullName: slotRequest.fullName,
    email: slotRequest.email,
    phone: '0411 222 333',
    date,
    time,
    quantity: slotRequest.quantity,
    bookingType: business.unit,
  }
  const made = await read<{ clientSecret?: string; payment?: string; error?: { code: string } }>(
    'POST /create-payment-intent',
    {
      path: '/create-payment-intent',
      json: { amount: started.amountCents, submitKey, businessId, booking },
      expect: [200, 409],
    },
  )
  if (made.answer.status === 409 && made.body?.error?.code === 'time_gone') return { outcome: 'refused' }
  const { clientSecret, payment: reference = null } = made.body ?? {}
  if (!made.ok || !clientSecret || !reference)
    return { outcome: 'failed', at: made.answer.what, reference, isPaid: false, ...started }
  const held = await read('POST /api/hold', {
    path: '/api/hold',
    json: { submitKey, do: 'keep' },
    expect: [200],
  })
  if (!held.ok) return { outcome: 'failed', at: held.answer.what, reference, isPaid: false, ...started }
  const card = await read<{ payment?: { status: string } }>('POST /api/sandbox/confirm', {
    path: '/api/sandbox/confirm',
    json: { clientSecret, ...CARD },
    expect: [200],
  })
  if (card.body?.payment?.status !== 'succeeded') {
    // Without a response the card may have been charged; a refusal is a response.
    const isPaid = card.answer.status >= 200 && card.answer.status < 500 ? false : 'unknown'
    return { outcome: 'failed', at: card.answer.what, reference, isPaid, ...started }
  }
  const reported = await read<{ state: string; bookingId: string | null }>('POST /api/payment-report', {
    path: '/api/payment-report',
    json: { clientSecret },
    expect: [200],
  })
  const { state, bookingId } = reported.body ?? {}
  if (state !== 'paid' || !bookingId)
    return { outcome: 'failed', at: reported.answer.what, reference, isPaid: true, ...started }
  // The page doesn't affect the booking; if it fails, its step has the error.
  await visitor.ask({
    ...formPage(kind, `/success?payment_intent=${encodeURIComponent(reference)}`),
    what: 'GET /success',
  })
  return { outcome: 'booked', reference, bookingId, ...started }
}

function parseJson<Body>(text: string): Body | null {
  try {
    return JSON.parse(text) as Body
  } catch {
    return null
  }
}

// Vendors --------------------------------------------------------------------------------------------------------

export type ListedBooking = { id: string; isPending: boolean }

/** Opens the dashboard. */
export async function openDashboard(visitor: Visitor): Promise<void> {
  await visitor.ask(formPage('vendor decisions', '/dashboard'))
}

/** Opens 'Your Bookings'. @returns its bookings, the newest first; null if it failed */
export async function listBookings(visitor: Visitor): Promise<ListedBooking[] | null> {
  const page = { ...formPage('vendor decisions', '/dashboard/bookings'), reads: true }
  const answer = await visitor.ask(page)
  if (!isOk(answer)) return null
  const [, ...items] = answer.text.split('data-booking="')
  return items.map((item) => ({
    id: item.slice(0, item.indexOf('"')),
    // The status tag stands before the buttons; its markup can't occur in the customer's text.
    isPending: /<p [^>]*aria-live="polite"[^>]*>(?:<[^>]*>)*Pending</.test(item),
  }))
}

/** The reason that goes with each decision. Only the decline of an approved booking needs it. */
export const DECLINE_REASON = 'The roof leaks since the storm.'

/**
 * Presses Approve or Decline.
 * @param seen the status that the page showed before
 * @returns 'decided' if acknowledged; 'refused' if the status had changed; else 'failed', and it may have been decided or
 *   not
 */
export async function decide(
  visitor: Visitor,
  bookingId: string,
  decision: 'approved' | 'declined',
  seen: 'pending' | 'approved' | 'declined' = 'pending',
): Promise<'decided' | 'refused' | 'failed'> {
  const answer = await visitor.ask({
    kind: 'vendor decisions',
    what: 'POST /dashboard/bookings',
    // The request that the page's script sends.
    path: '/dashboard/bookings.data',
    form: { bookingId, decision, seen, reason: DECLINE_REASON },
    expect: [200, 409],
  })
  if (!isOk(answer)) return 'failed'
  return answer.status === 200 ? 'decided' : 'refused'
}
