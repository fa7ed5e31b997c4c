import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ReactNode } from 'react'
import { renderToPipeableStream, renderToString } from 'react-dom/server'
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router'
import {
  documentContext,
  scriptMarkContext,
  servicesContext,
  structuredDataContext,
  unlistedContext,
} from './request-context.server.ts'
import { requestLog } from './request-log.server.ts'
import { createRenderedParts } from './shell/rendered-parts.ts'
import { ScriptMark } from './shell/script-mark.ts'
import { StructuredData } from './shell/structured-data.tsx'
import { Unlisted } from './shell/unlisted.tsx'
import { type RenderedParts, RenderedPartsContext } from './ui/rendered-once.tsx'

export const renderedParts = createRenderedParts()

/** Renders a complete document, which people and search engines get in one piece. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
) {
  let failed = false
  const onError = (error: unknown) => {
    failed = true
    if (!request.signal.aborted && !isRefusal(error))
      context.get(servicesContext).log.error({ err: error }, 'rendering')
  }
  const nonce = context.get(scriptMarkContext) || undefined
  const data = routerContext.serverHandoffStream && (await text(routerContext.serverHandoffStream))
  const inDocument = (of: EntryContext, read: string | undefined) =>
    nonce ? withManifestFile(withData(of, read)) : withData(of, read)
  const makeDocument = (shared: RenderedParts | null) => (
    <ScriptMark value={nonce}>
      <RenderedPartsContext value={shared}>
        <StructuredData value={context.get(structuredDataContext)}>
          <Unlisted value={context.get(unlistedContext)}>
            <ServerRouter context={inDocument(routerContext, data)} url={request.url} nonce={nonce} />
          </Unlisted>
        </StructuredData>
      </RenderedPartsContext>
    </ScriptMark>
  )
  // In development a part may change while the process lives. In a stream, parts would see its contexts: React keeps those
  // from a rendering inside another one only if both use the same renderer.
  const html =
    renderAtOnce(makeDocument(nonce ? renderedParts : null)) ??
    (await renderWhole(makeDocument(null), onError))
  context.set(documentContext, html)
  headers.set('content-type', 'text/html; charset=utf-8')
  // In production the server takes the document from the context: a body would be encoded as soon as React Router looks
  // at the response.
  return new Response(nonce ? null : html, { headers, status: failed ? 500 : status })
}

/**
 * Gives React Router the loaders' data as if it had read its stream already. It would otherwise read it while it renders,
 * and React would wait for each piece and render the whole document as a stream. Its cache of pieces that it has read is
 * private. If a later version keeps it elsewhere, it reads the new stream, and documents are only slower.
 */
function withData(context: EntryContext, data: string | undefined): EntryContext {
  if (data === undefined) return context
  const read = (value: string, done: boolean) => Object.assign(Promise.resolve(), { result: { done, value } })
  return {
    ...context,
    renderMeta: { streamCache: { 0: read(data, false), 1: read('', true) } },
    serverHandoffStream: new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          controller.enqueue(new TextEncoder().encode(data))
          controller.close()
        },
      },
      { highWaterMark: 0 },
    ),
  }
}

/**
 * Makes the document import its manifest of routes from a file, which browsers store, as if all routes were in it. React
 * Router would write the routes of each page into its document, and browsers would have to ask for the public ones too. The
 * browser's own settings say that routes are discovered, so it asks for those that the file lacks.
 */
const withManifestFile = (context: EntryContext): EntryContext => ({
  ...context,
  routeDiscovery: { ...context.routeDiscovery, mode: 'initial' },
})

/** React writes this in place of a part that isn't ready or has failed. */
const MISSING_PART = '<!--$!-->'
const DOCTYPE = '<!DOCTYPE html>'
const END = '</body></html>'

/**
 * Renders a document into one string, which takes half of the time of a stream: React encodes each of a stream's
 * thousands of pieces on its own.
 * @returns null when a part isn't ready or an error was thrown, which a stream waits for and reports
 */
function renderAtOnce(document: ReactNode): string | null {
  try {
    const html = DOCTYPE + renderToString(document)
    return html.includes(MISSING_PART) || !html.endsWith(END) ? null : html
  } catch {
    return null
  }
}

/** Renders an element once all of its parts are ready. */
function renderWhole(element: ReactNode, onError: (error: unknown) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    const collect = new Writable({
      write(piece: Buffer, _, done) {
        pieces.push(piece)
        done()
      },
      final(done) {
        resolve(Buffer.concat(pieces).toString())
        done()
      },
    })
    // Don't abort it with the request: all data has already been loaded, so that would save little.
    const { pipe } = renderToPipeableStream(element, {
      // React would otherwise send the fallback of a large boundary first, although its content is ready.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady: () => pipe(collect),
      onShellError: reject,
      onError,
    })
  })
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
