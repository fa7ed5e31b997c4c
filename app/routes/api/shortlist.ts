import type { MiddlewareFunction } from 'react-router'
import { addEntry, removeEntry } from '../../features/shortlists/commands.server.ts'
import { REFUSALS, type Reason } from '../../features/shortlists/messages.ts'
import { findList, listSavedIds } from '../../features/shortlists/queries.server.ts'
import { heartSchema } from '../../features/shortlists/schema.ts'
import { servicesContext } from '../../request-context.server.ts'
import { jsonAnswer, readJsonBody } from '../../shared/json-body.ts'
import { notStored } from '../contract.server.ts'
import {
  readShortlistVisitor,
  renewOwnCookie,
  SHORTLIST_STATUSES,
  shortlistDeps,
} from '../shortlist-visitor.server.ts'
import type { Route } from './+types/shortlist'

export const middleware: MiddlewareFunction<Response>[] = [notStored]

const MAX_BODY_BYTES = 1_024

/** The businesses on the visitor's shortlist, for the hearts of public pages: `{ ids: [...] }`. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext)
  const { visitor, cookies } = await readShortlistVisitor({ request, context })
  const list = await findList(db, visitor)
  return jsonAnswer(200, { ids: list ? await listSavedIds(db, list.id) : [] }, cookies)
}

/** A press of a heart: `{ businessId, saved }`. Answers with the list after it. */
export async function action({ request, context }: Route.ActionArgs) {
  const parsed = heartSchema.safeParse((await readJsonBody(request, MAX_BODY_BYTES))?.value)
  if (request.method !== 'POST' || !parsed.success) return refusal('malformed')
  const { db, config } = context.get(servicesContext)
  const { visitor, cookies } = await readShortlistVisitor({ request, context })
  const { businessId, saved } = parsed.data
  const deps = shortlistDeps(context.get(servicesContext))
  if (!saved) {
    const removed = await removeEntry(deps, visitor, businessId)
    // Without a list there is nothing to remove.
    if (!removed.ok && removed.reason !== 'not_found') return refusal(removed.reason, cookies)
    return jsonAnswer(200, { ids: removed.ok ? await listSavedIds(db, removed.id) : [] }, cookies)
  }
  const added = await addEntry(deps, visitor, businessId)
  if (!added.ok) return refusal(added.reason, cookies)
  await renewOwnCookie(cookies, { config }, visitor, added)
  return jsonAnswer(200, { ids: await listSavedIds(db, added.id) }, cookies)
}

function refusal(code: Reason, headers?: Headers): Response {
  return jsonAnswer(SHORTLIST_STATUSES[code], { error: { code, message: REFUSALS[code] } }, headers)
}
