import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { openPglite, type PgliteConnection } from '../app/adapters/database/pglite.server.ts'
import type { Database } from '../app/adapters/database/port.ts'
import { openPostgres, type PostgresConnection } from '../app/adapters/database/postgres.server.ts'
import { conversationLinkToken } from '../app/features/enquiries/rules.ts'
import { newId } from '../app/shared/ids.ts'
import { hashText } from '../app/shared/signed.ts'
import { freePort } from '../tests/free-port.ts'
import { findPostgres, startPostgres } from '../tests/postgres.ts'
import { serverSettings } from '../tests/server-process.ts'
import { fillMarket, type Market } from './load/market.ts'
import { book, createVisitor, decide, type Step, signIn, type Visitor } from './load/visitors.ts'
import { memoryMb, pinLoad, RUN_SERVER, startChild } from './measure.ts'
import type { Row } from './run.ts'

/**
 * `npm run bench -- live`: thousands of pages with a live stream from one process, on each kind of database. Half of them
 * belong to signed-in people with several tabs each, who also subscribe to their notifications; half have only a link.
 * First, all show one booking, whose vendor changes her mind. Then all show one conversation, in which she writes. At last
 * each shows a conversation of its own, and she writes in one after the other. The bench measures the time until the first
 * and the last page are notified. Each runs twice, so that memory leaked by closed connections shows.
 */

const CONNECTIONS = Number(process.env.LIVE_CONNECTIONS) || 5_000
const ROUNDS = 2
const CHANGES = 5
const TABS_PER_PERSON = 10
const AT_ONCE = 50
/** Hashing a password takes a tenth of a second. */
const SIGN_INS_AT_ONCE = 4
const SETTLE_MS = 5_000
const HEARD_WITHIN_MS = 30_000
/** Files that a process has open besides its connections. */
const OTHER_FILES = 500

/** The product, which on SIGUSR2 also collects its garbage and prints the memory in use. */
const RUN_COLLECTING = [
  '--expose-gc',
  ...RUN_SERVER.slice(0, -1),
  `process.on('SIGUSR2', () => {
    gc()
    const { heapUsed, external } = process.memoryUsage()
    process.stdout.write('in use: ' + (heapUsed + external) + '\\n')
  })
  ${RUN_SERVER.at(-1)}`,
]

type Place = { folder: string; databaseUrl: string | null }

export async function run(): Promise<Row[]> {
  const limit = openFilesLimit()
  if (limit < CONNECTIONS + OTHER_FILES)
    return [
      {
        what: `${CONNECTIONS} live connections`,
        result: `left out: a process may have ${limit} files open on this machine ('ulimit -Hn')`,
      },
    ]
  return [...(await onPglite()), ...(await onPostgres())]
}

/** Node raises its own limit to the hard one, in this process and in the server's. */
function openFilesLimit(): number {
  const hard = /^Max open files\s+\S+\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
  return hard === 'unlimited' ? Number.POSITIVE_INFINITY : Number(hard)
}

async function onPglite(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-live-'))
  try {
    return await measure('PGlite', { folder, databaseUrl: null }, () => openPglite(folder))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function onPostgres(): Promise<Row[]> {
  const programs = findPostgres()
  if (!programs) return [{ what: 'live on PostgreSQL', result: 'left out: there is none on this machine' }]
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-live-'))
  const { url, stop } = await startPostgres(programs)
  try {
    return await measure('PostgreSQL', { folder, databaseUrl: url }, async () => openPostgres(url, () => {}))
  } finally {
    stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(
  name: string,
  place: Place,
  open: () => Promise<PgliteConnection | PostgresConnection>,
): Promise<Row[]> {
  const filled = await open()
  const people = Math.ceil(CONNECTIONS / 2 / TABS_PER_PERSON)
  const market = await fillMarket(filled, { listings: 30, customers: people, vendors: 1 })
  const secret = serverSettings(place, 0).SECRET
  const conversations = await fillConversations(filled.db, market, secret)
  await filled.close()
  const unpin = pinLoad()
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const settings = serverSettings(place, port)
  const server = await startChild(RUN_COLLECTING, {
    env: { ...settings, NODE_ENV: 'production', LOG_LEVEL: 'info', TRUSTED_PROXY: '1' },
    isReady: / is at /,
    pinned: true,
  })
  const memory = async () => {
    await pause(SETTLE_MS)
    const said = new Promise<number>((resolve) => {
      server.process.stdout?.on('data', function hear(chunk: Buffer) {
        const inUse = /^in use: (\d+)/m.exec(chunk.toString())?.[1]
        if (!inUse) return
        server.process.stdout?.off('data', hear)
        resolve(Number(inUse))
      })
    })
    server.process.kill('SIGUSR2')
    const inUseMb = (await said) / 1_024 ** 2
    return { inUseMb, heldMb: memoryMb(server.pid).now }
  }
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  try {
    process.stderr.write(`  ${name}: ${people} people sign in …\n`)
    const { watched, cookies } = await preparePeople(market, origin, agent, { secret, conversations })
    const addressOf = (subjectOf: Watched['subjectOf']) => (index: number) => {
      const cookie = index % 2 ? cookies[(index >> 1) % cookies.length] : undefined
      return {
        path: `/api/live?${cookie ? 'subject=notifications&' : ''}subject=${subjectOf(index)}`,
        cookie,
      }
    }
    // Loads the code that the first streams need, so that it doesn't count as their memory.
    const few = await openStreams(port, AT_ONCE, addressOf(watched[0].subjectOf))
    few.close()

    const rows: Row[] = []
    const memories = [await memory()]
    const rounds = watched.flatMap((one) => Array.from({ length: ROUNDS }, (_, index) => ({ one, index })))
    for (const { one: about, index } of rounds) {
      const round = `${about.name} ${index + 1}`
      process.stderr.write(`  ${name}, ${round}: ${CONNECTIONS} connections …\n`)
      const begun = performance.now()
      const streams = await openStreams(port, CONNECTIONS, addressOf(about.subjectOf))
      const openedMs = performance.now() - begun
      const before = memories.at(-1)?.inUseMb ?? 0
      memories.push(await memory())
      const known = await countConnections(origin)
      const heard: { first: number; last: number; count: number; answered: number }[] = []
      for (let change = 0; change < CHANGES; change++) {
        const hearing = streams.hear(about.heardBy)
        await about.change(change)
        const answered = performance.now() - hearing.from
        heard.push({ ...(await hearing.all), answered })
      }
      const closedAt = performance.now()
      streams.close()
      const zeroMs = await becomesZero(origin, closedAt)
      memories.push(await memory())
      const list = (of: (one: (typeof heard)[0]) => number) =>
        heard.map((one) => of(one).toFixed(0)).join(', ')
      rows.push(
        {
          what: `${name}, round ${round}: connections that the server counts; opened in s; kB of memory each`,
          result: `${known}; ${(openedMs / 1_000).toFixed(1)}; ${((((memories.at(-2)?.inUseMb ?? 0) - before) * 1_024) / CONNECTIONS).toFixed(1)}`,
          aim: String(CONNECTIONS),
        },
        {
          what: `${name}, round ${round}: ${CHANGES} changes: notified connections`,
          result: list((one) => one.count),
          aim: `${about.heardBy} each`,
        },
        {
          what: `${name}, round ${round}: ms from the vendor's press to: the first notification; her own response; the last notification`,
          result: `${list((one) => one.first)}; ${list((one) => one.answered)}; ${list((one) => one.last)}`,
        },
        {
          what: `${name}, round ${round}: ms from closing all of them until the server counts none`,
          result: zeroMs.toFixed(0),
        },
      )
    }
    rows.push({
      what: `${name}: memory before; then with all connections and after closing them, for each round: MB in use after garbage is collected; MB that the process holds`,
      result: `${memories.map(({ inUseMb }) => inUseMb.toFixed(0)).join(', ')}; ${memories.map(({ heldMb }) => heldMb.toFixed(0)).join(', ')}`,
    })
    return rows
  } finally {
    agent.destroy()
    await server.stop()
    unpin()
  }
}

/** A guest's conversation with the vendor of the first business, and the token of its link. */
type Conversation = { id: string; linkToken: string }

/** Stores a guest's conversation for each connection: their forms would take an hour, and meet the limits of guests. */
async function fillConversations(db: Database, market: Market, secret: string): Promise<Conversation[]> {
  const [business] = market.bookable
  if (!business) throw new Error('nothing can be booked')
  const { user_id: owner } = await db
    .selectFrom('businesses')
    .select('user_id')
    .where('id', '=', business.id)
    .executeTakeFirstOrThrow()
  const at = new Date()
  const conversations: Conversation[] = []
  for (let count = 0; count < CONNECTIONS; count++) {
    const id = newId()
    const linkToken = await conversationLinkToken(secret, id)
    await sql`
      insert into conversations (id, business_id, business_name, owner_user_id, customer_name, customer_email, link_hash,
        submit_key, wish, verified_at, waiting_since, last_message_at, created_at)
      values (${id}, ${business.id}, 'A business', ${owner}, 'Kim Lee', ${`${id}@example.com`}, ${await hashText(linkToken)},
        ${id}, 'question', ${at}, ${at}, ${at}, ${at})`.execute(db)
    await sql`
      insert into messages (id, conversation_id, sender, body, sent_by, has_contacts, submit_key, created_at)
      values (${newId()}, ${id}, 'customer', 'Is there a piano?', 'web', false, ${id}, ${at})`.execute(db)
    conversations.push({ id, linkToken })
  }
  return conversations
}

/** Prepares a booking and conversations to watch, with the vendor's acts, and the customers' cookies. */
async function preparePeople(
  market: Market,
  origin: string,
  agent: Agent,
  { secret, conversations }: { secret: string; conversations: readonly Conversation[] },
) {
  let count = 0
  const steps: Step[] = []
  const comes = () => {
    count++
    const address = `10.1.${count >> 8}.${count & 255}`
    return createVisitor({ origin, agent, address, onStep: (step) => steps.push(step) })
  }
  const fail = (what: string): never => {
    throw new Error(`${what}: ${JSON.stringify(steps.filter(({ error }) => error))}`)
  }
  const [business] = market.bookable
  if (!business) return fail('nothing can be booked')
  const booker = comes()
  const [account] = market.customers
  if (!account || !(await signIn(booker, account))) return fail('the customer could not sign in')
  const month = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 7)
  const booked = await book(booker, business, {
    ...{ month, at: 0.5, quantity: business.unit === 'perHour' ? 3 : 40 },
    ...{ fullName: 'Kim Lee', email: account.email },
  })
  if (booked.outcome !== 'booked') return fail(JSON.stringify(booked))
  const list = {
    kind: 'accounts',
    what: 'GET /my-bookings',
    path: '/my-bookings',
    expect: [200],
    reads: true,
  }
  const linkToken = /\/bookings\/([\w-]{43})/.exec((await booker.ask(list)).text)?.[1]
  if (!linkToken) return fail('the booking has no link')
  const vendor = comes()
  if (!(await signIn(vendor, business.vendor))) return fail('the vendor could not sign in')
  const cookies: string[] = []
  const rest = [...market.customers]
  await Promise.all(
    Array.from({ length: SIGN_INS_AT_ONCE }, async () => {
      for (let customer = rest.pop(); customer; customer = rest.pop()) {
        const visitor = comes()
        if (!(await signIn(visitor, customer))) fail('a customer could not sign in')
        cookies.push(Array.from(visitor.cookies, ([name, value]) => `${name}=${value}`).join('; '))
      }
    }),
  )
  let status: 'pending' | 'approved' | 'declined' = 'pending'
  const changeDecision = async () => {
    const next: 'approved' | 'declined' = status === 'approved' ? 'declined' : 'approved'
    const outcome = await decide(vendor, booked.bookingId, next, status)
    if (outcome !== 'decided') throw new Error(`the decision was ${outcome}`)
    status = next
  }
  const conversationId = await ask(booker, business.id)
  const conversation = await conversationLinkToken(secret, conversationId)
  /** One conversation among the others, another for each change. */
  const some = (index: number) => {
    const one = conversations[(index * 997) % conversations.length]
    if (!one) throw new Error('there are no conversations')
    return one
  }
  const watched: [Watched, ...Watched[]] = [
    {
      name: 'booking',
      subjectOf: () => `booking-${linkToken}`,
      heardBy: CONNECTIONS,
      change: changeDecision,
    },
    {
      name: 'conversation',
      subjectOf: () => `conversation-${conversation}`,
      heardBy: CONNECTIONS,
      change: () => write(vendor, conversationId),
    },
    {
      name: 'own conversations',
      subjectOf: (index) => `conversation-${conversations[index % conversations.length]?.linkToken}`,
      heardBy: 1,
      change: (count) => write(vendor, some(count).id),
    },
  ]
  return { watched, cookies }
}

/** The subject that each page shows, how many pages a change concerns, and the vendor's act that changes it. */
type Watched = {
  name: string
  subjectOf: (index: number) => string
  heardBy: number
  change: (count: number) => Promise<void>
}

/** Asks a business a question. @returns the conversation's id */
async function ask(visitor: Visitor, businessId: string): Promise<string> {
  const answer = await visitor.ask({
    kind: 'accounts',
    what: 'POST /business/:id/ask',
    path: `/business/${businessId}/ask`,
    form: {
      wish: 'question',
      body: 'Is there a piano?',
      eventDate: '',
      guests: '',
      budget: '',
      submitKey: newId(),
    },
    expect: [302],
  })
  const id = /\/messages\/([\w-]+)/.exec(answer.headers.location ?? '')?.[1]
  if (!id) throw new Error('the question led to no conversation')
  return id
}

/** Writes in a conversation, as the inbox's script does. */
async function write(vendor: Visitor, conversationId: string): Promise<void> {
  const answer = await vendor.ask({
    kind: 'vendor messages',
    what: 'POST /dashboard/inbox/:id',
    path: `/dashboard/inbox/${conversationId}.data`,
    form: { intent: 'send', body: 'There is, and it is in tune.', submitKey: newId() },
    expect: [200],
  })
  if (answer.status !== 200) throw new Error(`the message was answered with ${answer.status}`)
}

/** Opens streams, some at a time, each on its own connection; resolves once all have begun. */
async function openStreams(
  port: number,
  count: number,
  addressOf: (index: number) => { path: string; cookie: string | undefined },
) {
  const sockets: Socket[] = []
  const lost: string[] = []
  let isOver = false
  /** Called with the index of a stream that is notified. */
  let onHeard: (index: number) => void = () => {}

  const openOne = (index: number) =>
    new Promise<void>((resolve, reject) => {
      const { path, cookie } = addressOf(index)
      const socket = connect(port, 'localhost')
      sockets.push(socket)
      let isOpen = false
      socket.write(
        `GET ${path} HTTP/1.1\r\nhost: localhost:${port}\r\naccept: text/event-stream\r\nx-forwarded-for: 10.2.${(index >> 8) & 255}.${index & 255}\r\n${cookie ? `cookie: ${cookie}\r\n` : ''}\r\n`,
      )
      socket.on('data', (chunk) => {
        const text = chunk.toString('latin1')
        if (!isOpen && text.startsWith('HTTP/1.1 ') && !text.startsWith('HTTP/1.1 200'))
          return reject(new Error(`stream ${index}: ${text.slice(0, 300)}`))
        if (!isOpen && text.includes('retry:')) {
          isOpen = true
          resolve()
        }
        if (text.includes('data: ')) onHeard(index)
      })
      socket.on('error', reject)
      socket.on('close', () => {
        if (!isOver) lost.push(`stream ${index} was closed`)
        reject(new Error(`stream ${index} was closed`))
      })
    })

  let next = 0
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < count) await openOne(next++)
    }),
  )
  return {
    /** Starts to count notifications; resolves once so many streams have one, or at the time limit. */
    hear(wanted: number) {
      const from = performance.now()
      const heard = new Set<number>()
      let first = Number.NaN
      let last = Number.NaN
      const all = new Promise<{ first: number; last: number; count: number }>((resolve) => {
        const end = () => {
          clearTimeout(timer)
          onHeard = () => {}
          for (const text of lost.splice(0, 5)) process.stderr.write(`  ${text}\n`)
          resolve({ first, last, count: heard.size })
        }
        const timer = setTimeout(end, HEARD_WITHIN_MS)
        onHeard = (index) => {
          last = performance.now() - from
          if (heard.size === 0) first = last
          heard.add(index)
          if (heard.size === wanted) end()
        }
      })
      return { from, all }
    },
    close() {
      isOver = true
      for (const socket of sockets) socket.destroy()
    },
  }
}

async function countConnections(origin: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  return Number(/^jubilee_live_connections (\d+)/m.exec(text)?.[1])
}

/** @returns the time since `from` in ms; NaN if it never happened */
async function becomesZero(origin: string, from: number): Promise<number> {
  while (performance.now() - from < HEARD_WITHIN_MS) {
    if ((await countConnections(origin)) === 0) return performance.now() - from
    await pause(20)
  }
  return Number.NaN
}
