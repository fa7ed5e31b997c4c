import { href } from 'react-router'
import { MAX_MAIL_BODY_BYTES, MAX_MESSAGE_BODY_BYTES } from '../app/features/enquiries/rules.ts'
import { MAX_BODY_BYTES } from '../app/shared/body-refusals.ts'
import { trimEndWhere } from '../app/shared/trim-end.ts'

/** The routes that accept a file. Their features limit its size. */
const UPLOAD_PATHS = new Set([href('/api/upload'), href('/my-profile')])
/** Providers post here. Each body is signed, and its route limits its size. */
export const WEBHOOK_PATHS = new Set([
  href('/webhooks/payments'),
  href('/webhooks/mail'),
  href('/webhooks/:about', { about: 'connected-accounts' }),
  href('/webhooks/:about', { about: 'accounts' }),
])
/** The pages with a form for a message and its files. */
const MESSAGE_PATHS = [
  pathPattern(href('/business/:id/ask', { id: ':id' })),
  pathPattern(href('/conversations/:linkToken', { linkToken: ':id' })),
  pathPattern(href('/messages/:id?', { id: ':id' })),
  pathPattern(href('/dashboard/inbox/:id?', { id: ':id' })),
]
const MAX_UPLOAD_BYTES = 12 * 1024 * 1024

/** The largest body that a path accepts, in bytes. */
export function maxBodyBytes(path: string): number {
  const plain = path.toLowerCase()
  const route = plain.endsWith('.data') ? plain.slice(0, -'.data'.length) : trimEndWhere(plain, /\//)
  if (route === href('/webhooks/mail')) return MAX_MAIL_BODY_BYTES
  if (MESSAGE_PATHS.some((pattern) => pattern.test(route))) return MAX_MESSAGE_BODY_BYTES
  return UPLOAD_PATHS.has(route) || WEBHOOK_PATHS.has(route) ? MAX_UPLOAD_BYTES : MAX_BODY_BYTES
}

function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(':id', '[^/]+')}$`)
}
