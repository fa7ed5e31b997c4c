import type { AccountSession } from '../../adapters/accounts/port.ts'
import type { LiveTopic } from '../../adapters/live-updates/port.ts'
import { limitedAddress } from '../../adapters/rate-limits/addresses.ts'
import { findBookingOffer } from '../../features/bookings/checkout/queries.server.ts'
import { findBookingByLink } from '../../features/bookings/list/queries.server.ts'
import { listBusinessIdsOfOwner } from '../../features/businesses/owner-queries.server.ts'
import { BUSINESS_ID } from '../../features/businesses/rules.ts'
import { findOwnConversation } from '../../features/enquiries/queries.server.ts'
import { findList } from '../../features/shortlists/queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import type { Services } from '../../services.server.ts'
import { findOperator } from '../operations/operator.server.ts'
import { findSession } from '../require-session.server.ts'
import { readShortlistVisitor } from '../shortlist-visitor.server.ts'
import type { Route } from './+types/live'

const HEARTBEAT_MS = 25_000
const MAX_SUBJECTS = 5
/** The longest that a page's data and then this request are on their way, for the age of that data. */
const ON_THE_WAY_MS = 5_000
const encoder = new TextEncoder()
const heartbeat = encoder.encode(': still here\n\n')
/** Pages older than this event reconnect after 1 s and get 204, which ends their stream. */
const sessionOver = encoder.encode('event: over\ndata: session\n\n')
/** Pages older than this event reconnect after an hour. At once, they would close the visitor's other streams. */
const crowdedOut = encoder.encode('retry: 3600000\nevent: over\ndata: crowded\n\n')

/**
 * The stream of change events for one page. An event never contains the change: the page reruns its loader, which has
 * the only permission check. Each subject is one of a person's own ('notifications', which is for the counts of header
 * and menus, 'desk', 'inbox', 'bookings', 'payouts', 'calendars', 'shortlist'), the operators' ('operations'), the holder's of a link
 * ('booking-{link token}', 'conversation-{link token}') or public: 'availability-{business id}'.
 * The event 'over' ends the stream for good and says why: the 'session' has ended, or the visitor's other streams have
 * 'crowded' it out. 'age' is how many milliseconds ago the page asked for its data: a subject that may have changed
 * since is reported at once.
 */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  // For a data request, React Router would read the stream to its end before it responds. This route has no data.
  if (new URL(request.url).pathname !== url.pathname) return new Response(null, { status: 404 })
  const { db, accounts, liveUpdates, log, liveStreams, stopping } = context.get(servicesContext)
  const subjects = url.searchParams.getAll('subject').slice(0, MAX_SUBJECTS)
  const session = await findSession({ request, context })
  const topics = await topicsOf({ request, context }, db, session, subjects)
  const age = readAge(url.searchParams.get('age'))
  // A signed-in visitor always has something to wait for, if only the end of their session. A 204 is the one refusal
  // after which a browser stops reconnecting without reporting an error (HTML, 'server-sent events').
  if (topics.size === 0 && !session) return new Response(null, { status: 204 })

  let end = () => {}
  let hasEnded = false
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (bytes: Uint8Array) => {
        try {
          controller.enqueue(bytes)
        } catch {
          end()
        }
      }
      const close = (lastWords?: Uint8Array) => {
        if (lastWords) send(lastWords)
        // The stream may have ended before, or by sending these last words.
        if (hasEnded) return
        end()
        controller.close()
      }
      // Some session of this account has ended. If it is this one, the page must know at once.
      const sessionTopic: LiveTopic | null = session ? `session:${session.user.uid}` : null
      const endWithSession = async () => {
        if (!(await accounts.findSession(request))) close(sessionOver)
      }
      const stop = liveUpdates.subscribe(
        sessionTopic ? [...topics.keys(), sessionTopic] : [...topics.keys()],
        (topic) => {
          if (topic === sessionTopic) {
            endWithSession().catch((error: unknown) => log.error({ err: error }, 'ending a live stream'))
          } else send(encoder.encode(`data: ${topics.get(topic)}\n\n`))
        },
      )
      const timer = setInterval(send, HEARTBEAT_MS, heartbeat)
      // The browser reconnects automatically, to a process that is still running.
      const endWithProcess = () => close()
      const release = liveStreams.take(visitorOf(request, session), () => close(crowdedOut))
      end = () => {
        hasEnded = true
        clearInterval(timer)
        stop()
        release()
        stopping.signal.removeEventListener('abort', endWithProcess)
      }
      request.signal.addEventListener('abort', () => end())
      stopping.signal.addEventListener('abort', endWithProcess)
      // The first bytes make proxies and browsers treat the stream as open.
      send(encoder.encode('retry: 1000\n\n'))
      if (age !== null && liveUpdates.mayHaveChanged(topics.keys(), age + ON_THE_WAY_MS))
        for (const subject of new Set(topics.values())) send(encoder.encode(`data: ${subject}\n\n`))
      if (stopping.signal.aborted) endWithProcess()
    },
    cancel: () => end(),
  })
  return new Response(stream, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  })
}

/** Reads the age of a page's data; null for a stream that needs no news of before, such as a reopened stream. */
function readAge(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null
}

/** The key by which streams are counted together. */
function visitorOf(request: Request, session: AccountSession | null): string {
  return session ? `account ${session.user.uid}` : `address ${limitedAddress(request)}`
}

/** The topics of a person's desk. Payout accounts and payouts to the bank have one of their own. */
const deskTopics = (userId: string): LiveTopic[] => [`desk:${userId}`, `payouts:${userId}`]

/** The topics that this visitor may follow, each with the subject that requested it. */
async function topicsOf(
  args: Pick<Route.LoaderArgs, 'request' | 'context'>,
  db: Services['db'],
  session: AccountSession | null,
  subjects: string[],
): Promise<Map<LiveTopic, string>> {
  const topics = new Map<LiveTopic, string>()
  for (const subject of subjects) {
    if (subject.startsWith('booking-')) {
      const booking = await findBookingByLink(db, subject.slice('booking-'.length))
      if (booking) topics.set(`booking:${booking.id}`, subject)
    } else if (subject.startsWith('conversation-')) {
      const by = { linkToken: subject.slice('conversation-'.length) }
      const found = await findOwnConversation(db, { by })
      if (found) topics.set(`conversation:${found.row.id}`, subject)
    } else if (subject.startsWith('availability-')) {
      const id = subject.slice('availability-'.length)
      if (BUSINESS_ID.test(id) && (await findBookingOffer(db, id))) {
        topics.set(`calendar:${id}`, subject)
      }
    } else if (subject === 'shortlist') {
      const { visitor } = await readShortlistVisitor(args)
      const list = await findList(db, visitor)
      if (list) topics.set(`shortlist:${list.id}`, subject)
    } else if (session && subject === 'notifications') {
      topics.set(`notifications:${session.user.uid}`, subject)
      // Unread messages and the rows of the desk are counted beside the notifications.
      for (const topic of [`inbox:${session.user.uid}`, ...deskTopics(session.user.uid)] as const)
        if (!topics.has(topic)) topics.set(topic, subject)
    } else if (session && subject === 'desk') {
      for (const topic of deskTopics(session.user.uid)) topics.set(topic, subject)
    } else if (session && subject === 'operations') {
      if (await findOperator(args)) topics.set('operations:tasks', subject)
    } else if (session && subject === 'inbox') {
      topics.set(`inbox:${session.user.uid}`, subject)
    } else if (session && subject === 'calendars') {
      for (const id of await listBusinessIdsOfOwner(db, session.user.uid)) {
        topics.set(`calendar:${id}`, subject)
      }
    } else if (session && subject === 'payouts') {
      topics.set(`payouts:${session.user.uid}`, subject)
    } else if (session && subject === 'bookings') {
      // Covers a business listed after this stream began: its bookings also send a notification.
      const own: LiveTopic = `notifications:${session.user.uid}`
      if (!topics.has(own)) topics.set(own, subject)
      for (const id of await listBusinessIdsOfOwner(db, session.user.uid)) {
        topics.set(`bookings:${id}`, subject)
      }
    }
  }
  return topics
}
