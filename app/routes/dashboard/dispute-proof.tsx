import { data } from 'react-router'
import { z } from 'zod'
import { fileRefusedText } from '../../features/enquiries/messages.ts'
import { findVendorDispute, sendProof } from '../../features/payouts/proof-commands.server.ts'
import { proofSchema } from '../../features/payouts/proof-rules.ts'
import {
  PROOF_REFUSALS,
  PROOF_TITLE,
  type ProofAnswer,
  ProofScreen,
} from '../../features/payouts/screens/proof-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { vendorProofDeps } from '../../services/deps.server.ts'
import { readForm } from '../../shared/form.ts'
import { newId } from '../../shared/ids.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/dispute-proof'

export const meta: Route.MetaFunction = ({ matches }) => privateMeta(PROOF_TITLE, matches[0]?.loaderData)

/** A dispute of the vendor's booking, with what they have sent about it. Those of others aren't found. */
export async function loader({ params, request, context, url }: Route.LoaderArgs) {
  const { user } = await requireSession({ request, url, context })
  const deps = vendorProofDeps(context.get(servicesContext))
  const dispute = await findVendorDispute(deps, { disputeId: params.id, userId: user.uid })
  return data({ dispute, submitKey: newId() }, { status: dispute ? 200 : 404 })
}

const STATUSES = {
  not_found: 404,
  decided: 409,
  replied: 409,
  too_late: 409,
  too_many: 409,
  file: 422,
} as const

/** Stores the vendor's proof. */
export async function action({ params, request, context, url }: Route.ActionArgs) {
  const { user } = await requireSession({ request, url, context })
  const form = await readForm(request, proofSchema)
  const words = String(form.get('words') ?? '').replaceAll('\r\n', '\n')
  const refuse = (status: number, refused: Partial<ProofAnswer>) =>
    data<ProofAnswer>({ isDone: false, refusal: null, errors: {}, words, ...refused }, { status })
  const parsed = proofSchema.safeParse({
    words,
    files: form.getAll('files'),
    submitKey: form.get('submitKey'),
  })
  if (!parsed.success) {
    const { fieldErrors } = z.flattenError(parsed.error)
    const errors = {
      ...(fieldErrors.words?.[0] ? { words: fieldErrors.words[0] } : {}),
      ...(fieldErrors.files?.[0] ? { files: fieldErrors.files[0] } : {}),
    }
    return refuse(422, Object.keys(errors).length > 0 ? { errors } : { refusal: PROOF_REFUSALS.unreadable })
  }
  const deps = vendorProofDeps(context.get(servicesContext))
  const sent = await sendProof(deps, { disputeId: params.id, userId: user.uid, proof: parsed.data })
  if (sent.ok) return data<ProofAnswer>({ isDone: true, refusal: null, errors: {}, words: '' })
  if (sent.reason === 'file') return refuse(STATUSES.file, { errors: { files: fileRefusedText(sent) } })
  return refuse(STATUSES[sent.reason], { refusal: PROOF_REFUSALS[sent.reason] })
}

export default function DisputeProofPage({ loaderData, actionData }: Route.ComponentProps) {
  return <ProofScreen {...loaderData} answer={actionData} />
}
