import { renderToReadableStream } from 'react-dom/server'
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router'
import {
  scriptMarkContext,
  servicesContext,
  structuredDataContext,
  unlistedContext,
} from './request-context.server.ts'
import { requestLog } from './request-log.server.ts'
import { ScriptMark } from './shell/script-mark.ts'
import { StructuredData } from './shell/structured-data.tsx'
import { Unlisted } from './shell/unlisted.tsx'

/** Renders a complete document, which people and search engines get in one piece. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
) {
  let failed = false
  const nonce = context.get(scriptMarkContext) || undefined
  const document = (
    <ScriptMark value={nonce}>
      <StructuredData value={context.get(structuredDataContext)}>
        <Unlisted value={context.get(unlistedContext)}>
          <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
        </Unlisted>
      </StructuredData>
    </ScriptMark>
  )
  // Don't pass the request's signal: React would listen on it for ever and keep the whole request in memory. All data
  // has been loaded by now, so an abort would save little.
  const stream = await renderToReadableStream(document, {
    nonce,
    // React would otherwise send the fallback of a large boundary first, although its content is ready.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError(error) {
      failed = true
      if (!request.signal.aborted && !isRefusal(error))
        context.get(servicesContext).log.error({ err: error }, 'rendering')
    },
  })
  await stream.allReady
  headers.set('content-type', 'text/html; charset=utf-8')
  return new Response(stream, { headers, status: failed ? 500 : status })
}

/** Whether the request was refused, such as a POST to a page without an action, or the client disconnected. */
function isRefusal(error: unknown): boolean {
  if (isRouteErrorResponse(error)) return error.status < 500
  return (
    error instanceof Error && 'code' in error && error.code === 'ECONNRESET' && error.message === 'aborted'
  )
}

/**
 * Logs thrown errors once. Any thrown value except a Response is a bug, and the person gets a plain page. An
 * unavailable dependency is not a bug, and every request would log it again.
 */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRefusal(error) || requestLog.getStore()?.isDependencyUnavailable) return
  context.get(servicesContext).log.error({ err: error, method: request.method }, 'unexpected')
}
