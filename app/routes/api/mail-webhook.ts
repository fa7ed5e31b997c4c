import { receiveReply } from '../../features/enquiries/reply-commands.server.ts'
import { MAX_MAIL_BODY_BYTES } from '../../features/enquiries/rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import { enquiryDeps } from '../../services/deps.server.ts'
import { jsonAnswer, readTextBody } from '../../shared/json-body.ts'
import type { Route } from './+types/mail-webhook'

const refuse = (status: number, code: string, message: string) =>
  jsonAnswer(status, { error: { code, message } })

export const loader = () => refuse(405, 'method', 'Send a POST.')

/**
 * Receives a mail to a reply address. The service delivers a mail again after any other status than 200, so a mail that
 * becomes no message gets one too.
 */
export async function action({ request, context }: Route.ActionArgs) {
  if (request.method !== 'POST') return loader()
  const { inboundMail } = context.get(servicesContext)
  // Without a mail service this address doesn't exist.
  if (!inboundMail) return refuse(404, 'unknown', 'There is no such address.')
  // Before the body, which may be large.
  if (!inboundMail.isGenuine(request.headers)) return refuse(401, 'login', 'The login is wrong.')
  const rawBody = await readTextBody(request, MAX_MAIL_BODY_BYTES)
  // Postmark repeats a mail for hours after any other answer.
  if (rawBody === null) return refuse(403, 'size', 'This mail is too large.')
  const mail = inboundMail.read(rawBody, request.headers)
  if (mail === 'forged') return refuse(401, 'login', 'The login is wrong.')
  if (!mail) return refuse(400, 'body', 'This isn’t a mail.')
  const { outcome } = await receiveReply(enquiryDeps(context.get(servicesContext)), mail)
  return jsonAnswer(200, { outcome })
}
