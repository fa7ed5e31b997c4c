import { z } from 'zod'
import {
  keepUpload,
  mayUpload,
  type UploadedImage,
  type UploadRefusal,
} from '../../features/files/commands.server.ts'
import { UPLOAD_KINDS } from '../../features/files/rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import { readForm } from '../../shared/form.ts'
import { jsonAnswer } from '../../shared/json-body.ts'
import { findSession } from '../require-session.server.ts'
import type { Route } from './+types/upload'

type Refusal = UploadRefusal | 'signed_out' | 'too_often' | 'not_a_form'

export type UploadAnswer = { ok: true; image: UploadedImage } | { ok: false; reason: Refusal }

const STATUSES = {
  signed_out: 401,
  too_often: 429,
  not_a_form: 400,
  empty: 422,
  too_large: 413,
  not_an_image: 415,
  too_many_pixels: 422,
  too_many_today: 429,
  too_many_at_once: 429,
  overrun: 503,
} as const satisfies Record<Refusal, number>

const uploadForm = z.object({
  file: z.instanceof(File),
  kind: z.enum(UPLOAD_KINDS),
  businessName: z.string().max(1_000).default(''),
  index: z.coerce.number().int().min(0).max(99).default(0),
})

/** Takes one picture per request, so that each has its own progress and one failure leaves the others alone. */
export async function action({ request, context }: Route.ActionArgs) {
  const { db, files, now, rateLimits } = context.get(servicesContext)
  const session = await findSession({ request, context })
  if (!session) return answer({ ok: false, reason: 'signed_out' })
  const userId = session.user.uid
  if (!(await mayUpload(rateLimits, userId))) return answer({ ok: false, reason: 'too_often' })
  const form = uploadForm.safeParse(Object.fromEntries(await readForm(request, uploadForm)))
  if (!form.success) return answer({ ok: false, reason: 'not_a_form' })
  const { file, kind, businessName, index } = form.data
  const outcome = await keepUpload({ db, files, now, rateLimits }, userId, {
    kind,
    fileName: file.name,
    businessName,
    index,
    bytes: new Uint8Array(await file.arrayBuffer()),
  })
  return answer(outcome.ok ? { ok: true, image: outcome.image } : outcome)
}

function answer(body: UploadAnswer): Response {
  return jsonAnswer(body.ok ? 200 : STATUSES[body.reason], body)
}
