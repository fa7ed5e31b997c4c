import { type ActionFunctionArgs, data, redirect } from 'react-router'
import type { z } from 'zod'
import { limitedAddress } from '../adapters/rate-limits/addresses.ts'
import type { Reason } from '../features/shortlists/messages.ts'
import { isLinkToken, SHORTLIST_COOKIE_S, VOTER_COOKIE } from '../features/shortlists/rules.ts'
import type { ShortlistAnswer, shortlistFormSchema } from '../features/shortlists/schema.ts'
import { castVote, nameVoter } from '../features/shortlists/vote-commands.server.ts'
import { servicesContext } from '../request-context.server.ts'
import { newId } from '../shared/ids.ts'
import { hashText } from '../shared/signed.ts'
import { readSignedList, signedListCookie } from '../shared/signed-cookie.server.ts'
import { SHORTLIST_STATUSES, shortlistDeps } from './shortlist-visitor.server.ts'

type VoterForm = Extract<z.infer<typeof shortlistFormSchema>, { intent: 'name' | 'vote' | 'unvote' }>

/** Votes on the list of a link, or takes the name to vote by. The browser gets a cookie that names it to no one else. */
export async function vote(
  {
    request,
    link,
    context,
    url,
    form,
  }: Pick<ActionFunctionArgs, 'request' | 'context' | 'url'> & { link: string | undefined; form: FormData },
  typed: VoterForm,
) {
  const { config } = context.get(servicesContext)
  const deps = shortlistDeps(context.get(servicesContext))
  if (!link || !isLinkToken(link)) return refused('not_found')
  const [known] = await readSignedList(request.headers.get('cookie'), VOTER_COOKIE, config.secret)
  const voterId = known ?? newId()
  const by = { linkHash: await hashText(link), voterId, address: limitedAddress(request) }
  if (typed.intent !== 'name') {
    const cast = await castVote(deps, by, { businessId: typed.businessId, wanted: typed.intent === 'vote' })
    return cast.ok ? data<ShortlistAnswer>({ ok: true, voted: typed.businessId }) : refused(cast.reason)
  }
  const named = await nameVoter(deps, by, typed.name)
  if (!named.ok) return refuseName(named.reason, form)
  const isSecure = config.publicUrl.protocol === 'https:'
  const cookie = await signedListCookie([voterId], VOTER_COOKIE, config.secret, {
    maxAgeS: SHORTLIST_COOKIE_S,
    isSecure,
  })
  throw redirect(url.pathname + url.search, {
    headers: { 'set-cookie': cookie },
  })
}

/** Refuses what was typed about the event, which stays in its form. */
export function refuseAbout(reason: Reason, form: FormData) {
  const text = (name: string) => String(form.get(name) ?? '')
  const about = { title: text('title'), date: text('date'), guests: text('guests') }
  return data<ShortlistAnswer>(
    { ok: false, reason, typed: null, about },
    { status: SHORTLIST_STATUSES[reason] },
  )
}

/** Refuses a voter's name, which stays in its form. */
export function refuseName(reason: Reason, form: FormData) {
  const name = String(form.get('name') ?? '')
  return data<ShortlistAnswer>(
    { ok: false, reason, typed: null, name },
    { status: SHORTLIST_STATUSES[reason] },
  )
}

function refused(reason: Reason) {
  return data<ShortlistAnswer>({ ok: false, reason, typed: null }, { status: SHORTLIST_STATUSES[reason] })
}
