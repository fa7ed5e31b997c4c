import { href } from 'react-router'
import { findOwnConversation } from '../app/features/enquiries/queries.server.ts'
import { MAX_MAIL_BODY_BYTES, MAX_MESSAGE_BODY_BYTES } from '../app/features/enquiries/rules.ts'
import type { Services } from '../app/services.server.ts'
import { MAX_BODY_BYTES, MAX_UPLOAD_BODY_BYTES, MAX_WEBHOOK_BODY_BYTES } from '../app/shared/body-limits.ts'
import { trimEndWhere } from '../app/shared/trim-end.ts'

/** Providers post here, and sign each body or send a password. */
export const WEBHOOK_PATHS = new Set([
  href('/webhooks/payments'),
  href('/webhooks/mail'),
  href('/webhooks/:about', { about: 'connected-accounts' }),
  href('/webhooks/:about', { about: 'accounts' }),
])

type Asked = Pick<Services, 'accounts' | 'db' | 'inboundMail'>
/** Whether the sender of a request may send more than a form. Reads no body. */
type MaySendMore = (services: Asked, request: Request, parameter: string) => Promise<boolean>

/** A route with a body over 64 kB: its limit, and who may send one. */
type LargeRoute = { pattern: RegExp; maxBytes: number; maySendMore: MaySendMore }

const isSignedIn: MaySendMore = async ({ accounts }, request) =>
  (await accounts.findSession(request)) !== null
const hasLink: MaySendMore = async ({ db }, _, linkToken) =>
  (await findOwnConversation(db, { by: { linkToken } })) !== null
/** A guest's question may have files: their daily limits are the feature's. */
const everybody: MaySendMore = async () => true

const LARGE_ROUTES: readonly LargeRoute[] = [
  largeRoute(href('/api/upload'), MAX_UPLOAD_BODY_BYTES, isSignedIn),
  largeRoute(href('/my-profile'), MAX_UPLOAD_BODY_BYTES, isSignedIn),
  largeRoute(href('/messages/:id?', { id: ':id' }), MAX_MESSAGE_BODY_BYTES, isSignedIn),
  largeRoute(href('/dashboard/inbox/:id?', { id: ':id' }), MAX_MESSAGE_BODY_BYTES, isSignedIn),
  largeRoute(href('/dashboard/disputes/:id', { id: ':id' }), MAX_MESSAGE_BODY_BYTES, isSignedIn),
  largeRoute(href('/conversations/:linkToken', { linkToken: ':id' }), MAX_MESSAGE_BODY_BYTES, hasLink),
  largeRoute(href('/business/:id/ask', { id: ':id' }), MAX_MESSAGE_BODY_BYTES, everybody),
  largeRoute(
    href('/webhooks/mail'),
    MAX_MAIL_BODY_BYTES,
    async ({ inboundMail }, request) => inboundMail?.isGenuine(request.headers) ?? false,
  ),
  ...[...WEBHOOK_PATHS]
    .filter((path) => path !== href('/webhooks/mail'))
    .map((path) => largeRoute(path, MAX_WEBHOOK_BODY_BYTES, everybody)),
]

/** The largest body of a path, in bytes, and who may send more than 64 kB of it. */
type BodyLimit = {
  maxBytes: number
  maySendMore(services: Asked, request: Request): Promise<boolean>
}

/** The limit of a path's body. */
export function bodyLimitOf(path: string): BodyLimit {
  const plain = path.endsWith('.data') ? path.slice(0, -'.data'.length) : path
  const route = trimEndWhere(plain, /\//)
  for (const { pattern, maxBytes, maySendMore } of LARGE_ROUTES) {
    const found = pattern.exec(route)
    if (found)
      return { maxBytes, maySendMore: (services, request) => maySendMore(services, request, found[1] ?? '') }
  }
  return { maxBytes: MAX_BODY_BYTES, maySendMore: async () => false }
}

function largeRoute(path: string, maxBytes: number, maySendMore: MaySendMore): LargeRoute {
  return { pattern: new RegExp(`^${path.replace(':id', '([^/]+)')}$`, 'i'), maxBytes, maySendMore }
}
