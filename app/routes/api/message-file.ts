import { readMessageFile } from '../../features/enquiries/queries.server.ts'
import { readReportedFile } from '../../features/operators/report-commands.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { participantOf } from '../conversation-forms.server.ts'
import { sentFile } from '../file-response.server.ts'
import { findOperatorWith } from '../operations/operator.server.ts'
import { findSession } from '../require-session.server.ts'
import type { Route } from './+types/message-file'

/**
 * A file of a message, for its two sides: the customer by the conversation's link, and signed-in people with the
 * conversation's id in its place. Operators get those of reported conversations.
 */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { fileId, linkToken } = params
  const { db, files, now } = context.get(servicesContext)
  const file =
    (await readMessageFile({ db, files }, { fileId, by: { linkToken } })) ??
    (await findOfAccount()) ??
    (await findReported())
  if (!file) return new Response('There is no such file.', { status: 404 })
  return sentFile(file)

  async function findReported() {
    const operator = await findOperatorWith('read-reports', { request, context })
    return operator && readReportedFile({ db, files, now }, { operator, fileId })
  }

  async function findOfAccount() {
    const session = await findSession({ request, context })
    return session && readMessageFile({ db, files }, { fileId, by: participantOf(session) })
  }
}
