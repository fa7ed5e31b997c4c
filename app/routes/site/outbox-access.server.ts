import { data, type RouterContextProvider } from 'react-router'
import { servicesContext } from '../../request-context.server.ts'
import { hasPrintedKey, openWithPrintedKey } from '../printed-key.server.ts'

/**
 * Returns the outbox of the demo, for this machine's own visitors who opened the printed address.
 * @throws a redirect from the printed address; a 404 response for all others, and without the demo's outbox (Decision 24)
 */
export function requireOutbox(asked: {
  request: Request
  url: URL
  context: Readonly<RouterContextProvider>
}) {
  const { config, outbox } = asked.context.get(servicesContext)
  if (!config.demo || !outbox) throw data(null, { status: 404 })
  const opened = openWithPrintedKey(asked)
  if (opened) throw opened
  if (!hasPrintedKey(asked)) throw data(null, { status: 404 })
  return { outbox }
}
