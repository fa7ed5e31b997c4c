import { href } from 'react-router'
import { MAX_BODY_BYTES } from '../app/shared/body-refusals.ts'

/** The routes that take a file. Their features say how large one may be. */
const UPLOAD_PATHS = new Set([href('/api/upload'), href('/my-profile')])
export const WEBHOOK_PATH = href('/webhooks/payments')
const MAX_UPLOAD_BYTES = 12 * 1024 * 1024

/** The largest body that a path takes, in bytes. */
export function maxBodyBytes(path: string): number {
  const route = path.toLowerCase().replace(/(\.data|\/+)$/, '')
  return UPLOAD_PATHS.has(route) || route === WEBHOOK_PATH ? MAX_UPLOAD_BYTES : MAX_BODY_BYTES
}
