import type { MiddlewareHandler } from 'hono'
import { RouterContextProvider } from 'react-router'
import { notePage } from '../app/features/operators/view-commands.server.ts'
import { type OperatorViewContext, servicesContext } from '../app/request-context.server.ts'
import { readView, readViewCookie, viewCookie } from '../app/routes/operations/view.server.ts'
import {
  NOT_IN_VIEW_PATH,
  VIEW_FRAME_PATTERNS,
  VIEW_PAGE_PATTERNS,
  VIEW_PUBLIC_PATTERNS,
} from '../app/routes/view-pages.server.ts'
import type { Services } from '../app/services.server.ts'
import { BODY_REFUSALS, notInView } from '../app/shared/body-refusals.ts'

type Paths = { stop: string; after: string; live: string }

/**
 * Serves a browser in which an operator sees the product as another account (Decision 45): only pages of the list, only
 * reads. Every other request is refused here, whatever route it is for, except the request to stop the view.
 * @param deps.render renders a request with the view
 * @param deps.refuse renders the refusal, without the request's body
 */
export function seeAs(
  services: Services,
  deps: {
    paths: Paths
    patternOf(path: string): string
    render(request: Request, view: OperatorViewContext): Promise<Response>
    refuse(request: Request, view: OperatorViewContext): Promise<Response>
  },
): MiddlewareHandler {
  const { publicUrl } = services.config
  const { paths } = deps
  return async (c, next) => {
    const request = c.req.raw
    const id = readViewCookie(request, publicUrl)
    if (!id || (c.req.method === 'POST' && c.req.path === paths.stop)) return next()
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
    const isDocument = isRead && request.headers.get('accept')?.includes('text/html') === true
    const pattern = deps.patternOf(c.req.path)
    if (isRead && VIEW_PUBLIC_PATTERNS.has(pattern)) {
      request.headers.delete('cookie')
      return next()
    }
    const context = new RouterContextProvider()
    context.set(servicesContext, services)
    const view = await readView({ request, context }, id)
    if (!view) return afterEnd()
    if (!isRead) return refuse(view)
    // The browser ends a stream for good after a 204.
    if (pattern === paths.live) return new Response(null, { status: 204 })
    if (VIEW_FRAME_PATTERNS.has(pattern)) return deps.render(request, contextOf(view))
    if (!VIEW_PAGE_PATTERNS.has(pattern)) return refuse(view)
    await notePage(services, { view, page: pattern })
    return deps.render(request, contextOf(view))

    async function refuse(view: View): Promise<Response> {
      if (isDocument) return new Response(null, { status: 303, headers: { location: NOT_IN_VIEW_PATH } })
      const refused = await deps.refuse(request, contextOf(view))
      // A page without a loader or an action has nothing that could refuse. React Router redirects by 202.
      return refused.status === 403 || refused.status === 202 ? refused : notInView()
    }

    /** The page in the browser may still show the other account, so a write isn't the operator's own either. */
    async function afterEnd(): Promise<Response> {
      const headers = new Headers({ 'cache-control': 'no-store' })
      headers.append('set-cookie', viewCookie(null, publicUrl))
      if (isDocument) {
        headers.set('location', paths.after)
        return new Response(null, { status: 303, headers })
      }
      headers.set('content-type', 'text/plain; charset=utf-8')
      return new Response(isRead ? null : BODY_REFUSALS.viewed, { status: 403, headers })
    }
  }
}

type View = NonNullable<Awaited<ReturnType<typeof readView>>>

function contextOf({ subject }: View): OperatorViewContext {
  const { id, name, email, emailVerified, image } = subject
  return {
    name,
    session: {
      id: 'operator-view',
      isStrong: false,
      user: {
        uid: id,
        displayName: name,
        email,
        emailVerified,
        phoneNumber: null,
        photoUrl: image,
        needsEmail: false,
      },
    },
  }
}
