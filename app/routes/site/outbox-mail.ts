import type { Route } from './+types/outbox-mail'
import { requireOutbox } from './outbox-access.server.ts'

/**
 * Nothing of a mail may run, load from elsewhere or send a form. The outbox shows it in a frame, whose links open a tab of
 * their own.
 */
const POLICY = [
  "default-src 'none'",
  "img-src 'self'",
  "style-src 'unsafe-inline'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ')

/** The HTML part of a mail of the demo, as mail programs show it. */
export async function loader({ params, request, url, context }: Route.LoaderArgs): Promise<Response> {
  const { outbox } = requireOutbox({ request, url, context })
  const mail = (await outbox.list(Number.POSITIVE_INFINITY)).find(
    ({ messageId }) => messageId === params.messageId,
  )
  if (!mail) return new Response('There is no such email.', { status: 404 })
  // Opens links in a new tab, as mail programs do. The sent mail has no such line.
  const html = mail.html.replace('<head>', '<head><base target="_blank">')
  return new Response(html, {
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY },
  })
}
