import type { RouterContextProvider } from 'react-router'
import { data } from 'react-router'
import { servicesContext } from '../request-context.server.ts'
import { requestLog } from '../request-log.server.ts'

/**
 * Loads a screen's data. A failure is logged and becomes a 503, which the screen's error boundary shows inside its
 * frame. Thrown responses, such as the redirect to /login, pass.
 */
export async function loadOrUnavailable<Loaded>(
  context: Readonly<RouterContextProvider>,
  load: () => Promise<Loaded>,
): Promise<Loaded> {
  try {
    return await load()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    // An unavailable database is reported once, not by every request.
    if (!requestLog.getStore()?.isDependencyUnavailable)
      context.get(servicesContext).log.error({ err: error }, 'loading a screen')
    throw data(null, { status: 503 })
  }
}
