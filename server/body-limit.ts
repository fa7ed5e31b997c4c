import { href } from 'react-router'
import { MAX_BODY_BYTES } from '../app/shared/body-refusals.ts'

/** The routes that accept a file. Their features limit its size. */
const UPLOAD_PATHS = new Set([href('/api/upload'), href('/my-profile')])
/** Providers post here. Each body is signed, and its route limits its size. */
export const WEBHOOK_PATHS = new Set([
  href('/webhooks/payments'),
  href('/webhooks/:about', { about: 'connected-accounts' }),
  href('/webhooks/:about', { about: 'accounts' }),
])
const MAX_UPLOAD_BYTES = 12 * 1024 * 1024

/** The largest body that a path accepts, in bytes. */
export function maxBodyBytes(path: string): number {
  const route = path.toLowerCase().replace(/(\.data|\/+)$/, '')
  return UPLOAD_PATHS.has(route) || WEBHOOK_PATHS.has(route) ? MAX_UPLOAD_BYTES : MAX_BODY_BYTES
}
