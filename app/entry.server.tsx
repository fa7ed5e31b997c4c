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

/** Renders a whole document: people and search engines get all of it at once. */
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
  // Not told when whoever asked goes away: React would listen on the request's signal for ever, and everything of the
  // request with it stay in memory. All data is there by now, so there is little left to save.
  const stream = await renderToReadableStream(document, {
    nonce,
    // React would send the fallback of a large boundary first, for a script to replace; here all is there at once.
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

/** What was asked can't be done, such as a POST to a page that takes none, or whoever asked went away meanwhile. */
function isRefusal(error: unknown): boolean {
  if (isRouteErrorResponse(error)) return error.status < 500
  return (
    error instanceof Error && 'code' in error && error.code === 'ECONNRESET' && error.message === 'aborted'
  )
}

/**
 * Everything thrown that is no Response is a bug: it is logged once, and the person gets a plain page. That a part is
 * away is none, and each request would say it again.
 */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRefusal(error) || requestLog.getStore()?.isDependencyUnavailable) return
  context.get(servicesContext).log.error({ err: error, method: request.method }, 'unexpected')
}
