import type { MiddlewareFunction } from 'react-router'
import { changeAlbum } from '../../features/businesses/album-commands.server.ts'
import { ALBUM_LIMIT } from '../../features/businesses/album-rules.ts'
import {
  type AlbumRefusal,
  albumSenderSchema,
  albumStepSchema,
} from '../../features/businesses/album-schema.ts'
import { servicesContext } from '../../request-context.server.ts'
import { jsonAnswer, readJsonBody } from '../../shared/json-body.ts'
import { notStored } from '../contract.server.ts'
import { findSession } from '../require-session.server.ts'
import type { Route } from './+types/album'

export const middleware: MiddlewareFunction<Response>[] = [notStored]

const MAX_BODY_BYTES = 8_192
const STATUSES = {
  signed_out: 401,
  too_often: 429,
  malformed: 400,
  not_found: 404,
  full: 409,
  unknown_image: 404,
} as const satisfies Record<AlbumRefusal, number>

/** One change of the album of a listing: an `AlbumStep`. Answers with the album after it, or the reason why not. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const { db, now, rateLimits } = context.get(servicesContext)
  const session = await findSession({ request, context })
  if (!session) return refusal('signed_out')
  const userId = session.user.uid
  const posted = (await readJsonBody(request, MAX_BODY_BYTES))?.value
  const step = albumStepSchema.safeParse(posted)
  const sender = albumSenderSchema.safeParse(posted)
  if (request.method !== 'POST' || !step.success || !sender.success) return refusal('malformed')
  // Its steps wait in their tab until its person is logged in again.
  if (sender.data.userId !== undefined && sender.data.userId !== userId) return refusal('signed_out')
  if (!(await rateLimits.take(`album:${userId}`, ALBUM_LIMIT))) return refusal('too_often')
  const changed = await changeAlbum({ db, now }, { userId, businessId: params.businessId }, step.data)
  return changed.ok ? jsonAnswer(200, changed) : refusal(changed.reason)
}

function refusal(reason: AlbumRefusal): Response {
  return jsonAnswer(STATUSES[reason], { ok: false, reason })
}
