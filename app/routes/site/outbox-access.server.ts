import { data, type RouterContextProvider } from 'react-router'
import { CLIENT_ADDRESS_HEADER } from '../../adapters/accounts/port.ts'
import { servicesContext } from '../../request-context.server.ts'
import { isFromThisMachine } from '../../shared/this-machine.ts'

/**
 * Returns the outbox of the demo, for this machine's own requests.
 * @throws a 404 response for all others, and without the demo's outbox (Decision 24)
 */
export function requireOutbox({
  request,
  context,
}: {
  request: Request
  context: Readonly<RouterContextProvider>
}) {
  const services = context.get(servicesContext)
  const { config, outbox } = services
  const address = request.headers.get(CLIENT_ADDRESS_HEADER) ?? ''
  if (!config.demo || !outbox || !isFromThisMachine(request, address)) throw data(null, { status: 404 })
  return { services, outbox }
}
