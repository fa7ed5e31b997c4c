import { readProofFile } from '../../features/payouts/proof-commands.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { sentFile } from '../file-response.server.ts'
import { findOperatorWith } from '../operations/operator.server.ts'
import { findSession } from '../require-session.server.ts'
import type { Route } from './+types/proof-file'

/** A file of a vendor's proof, for the vendor whose booking is disputed and for operators who see disputes. */
export async function loader({ params: { id: disputeId, fileId }, request, context }: Route.LoaderArgs) {
  const { db, files } = context.get(servicesContext)
  const asked = { disputeId, fileId }
  const session = await findSession({ request, context })
  const own = session && (await readProofFile({ db, files }, asked, { userId: session.user.uid }))
  const file =
    own ??
    ((await findOperatorWith('see-disputes', { request, context }))
      ? await readProofFile({ db, files }, asked, null)
      : null)
  return file ? sentFile(file) : new Response('There is no such file.', { status: 404 })
}
