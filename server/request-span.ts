import type { Context } from 'hono'
import type { Traces } from '../app/adapters/traces/port.ts'

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Answers a request in its own span, a child of the caller's if there is one. The span contains the route's pattern and
 * no other part of the URL, because some paths contain secrets.
 * @param about receives the trace's id, for the log; has the route once there is a response
 */
export async function answerInSpan(
  traces: Traces,
  // biome-ignore lint/suspicious/noExplicitAny: it uses no variables of the app's contexts.
  c: Context<any>,
  about: { requestId: string; route: string; traceId?: string },
  answer: () => Promise<void>,
): Promise<void> {
  if (!traces.isOn) return answer()
  const method = METHODS.has(c.req.method) ? c.req.method : '_OTHER'
  await traces.run(
    {
      name: method,
      kind: 'server',
      traceparent: c.req.header('traceparent') ?? null,
      attributes: { 'http.request.method': method, 'jubilee.request_id': about.requestId },
    },
    async (span) => {
      if (span.traceId) about.traceId = span.traceId
      await answer()
      const { route } = about
      const { status } = c.res
      span.describe(route === 'none' ? method : `${method} ${route}`, {
        'http.response.status_code': status,
        ...(route === 'none' ? {} : { 'http.route': route }),
      })
      if (status >= 500) span.fail(String(status))
    },
  )
}
