import type { Context } from 'hono'
import type { Traces } from '../app/adapters/traces/port.ts'

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Answers a request in a span of its own, under its caller's if that names one. The span knows the route's pattern and
 * nothing else of the address: some paths open something for whoever has them.
 * @param about gets the trace's id, for the log, and has the route once there is an answer
 */
export async function answerInSpan(
  traces: Traces,
  // biome-ignore lint/suspicious/noExplicitAny: it needs nothing of what the app's contexts hold.
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
