import { limitedAddress } from '../../adapters/rate-limits/addresses.ts'
import { servicesContext } from '../../request-context.server.ts'
import { MAX_BROWSER_ERROR_BYTES, readBrowserError } from '../../shared/browser-errors.ts'
import { readTextBody } from '../../shared/json-body.ts'
import type { Route } from './+types/browser-error'

export const loader = () => new Response('An error is sent as a POST.', { status: 405 })

/** Logs an error that a browser reports. The response is always the same: nobody waits for it. */
export async function action({ request, context }: Route.ActionArgs) {
  const { browserErrorLimit, log } = context.get(servicesContext)
  const text = await readTextBody(request, MAX_BROWSER_ERROR_BYTES)
  const report = text === null ? null : readBrowserError(text)
  if (report && browserErrorLimit.take(limitedAddress(request)) === 0) log.warn(report, 'browser error')
  return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
}
