import { data, href, redirect, type ShouldRevalidateFunctionArgs } from 'react-router'
import { limitedAddress } from '../../adapters/rate-limits/addresses.ts'
import {
  type Asked,
  askedQuery,
  askedTexts,
  NOTHING_ASKED,
  readAsked,
} from '../../features/businesses/asked-rules.ts'
import {
  addEntry,
  endSharing,
  noteEntry,
  recordUse,
  removeEntry,
  shareList,
} from '../../features/shortlists/commands.server.ts'
import {
  type Reason,
  SHARED_TITLE,
  SHORTLIST_TITLE,
  sharedDescription,
} from '../../features/shortlists/messages.ts'
import {
  compareBusinesses,
  findList,
  findSharedList,
  listEntries,
} from '../../features/shortlists/queries.server.ts'
import {
  COMPARE_PRESS,
  isLinkToken,
  LINK_LIMIT,
  pickCompared,
  VOTER_COOKIE,
} from '../../features/shortlists/rules.ts'
import {
  entrySchema,
  SHORTLIST_FORMS,
  type ShortlistAnswer,
  shortlistFormSchema,
} from '../../features/shortlists/schema.ts'
import { ShortlistScreen } from '../../features/shortlists/screens/shortlist-screen.tsx'
import { describeList, removeVoter } from '../../features/shortlists/vote-commands.server.ts'
import { findAbout, findVotes, NO_ABOUT, NO_VOTES } from '../../features/shortlists/vote-queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import type { Services } from '../../services.server.ts'
import { HOME_ZONE, wallTimeAt } from '../../shared/dates.ts'
import { readForm } from '../../shared/form.ts'
import { KEPT_ADDRESS, pageMeta, pageTitle } from '../../shared/page-meta.ts'
import { hashText } from '../../shared/signed.ts'
import { readSignedList } from '../../shared/signed-cookie.server.ts'
import { cardOf } from '../card-address.ts'
import { notStored } from '../contract.server.ts'
import {
  readShortlistVisitor,
  renewOwnCookie,
  SHORTLIST_STATUSES,
  setShortlistCookie,
  shareAddress,
  shortlistDeps,
} from '../shortlist-visitor.server.ts'
import { refuseAbout, refuseName, vote } from '../shortlist-votes.server.ts'
import type { Route } from './+types/shortlist'
import '../../styles/whole.css'

export const middleware = [notStored]

// The address of a shared list is the key to it: keep it from other sites. Without JavaScript a form needs its origin.
export const meta: Route.MetaFunction = ({ matches, params, loaderData }) => {
  const site = matches[0]?.loaderData
  const named = loaderData?.about.title || (params.link ? SHARED_TITLE : SHORTLIST_TITLE)
  const title = pageTitle(named, site)
  if (!params.link || loaderData?.state !== 'link') return [{ title }, KEPT_ADDRESS]
  const cards = loaderData.entries.flatMap(({ card }) => card ?? [])
  const path = href('/shortlist/:link?', { link: params.link }) + askedQuery(sharedPart(loaderData.asked))
  return [
    // For the previews of messengers. The layout keeps search engines out.
    ...pageMeta(site, {
      title,
      description: sharedDescription(cards.map(({ name }) => name)),
      path,
      shareTitle: [named, ...askedTexts(sharedPart(loaderData.asked))].join(' · '),
      card: cardOf(path, named),
      noIndex: true,
    }),
    KEPT_ADDRESS,
  ]
}

/** What a shared link says of the event: others see the same totals and free days, and not where it is. */
const sharedPart = ({ date, guests }: Asked): Asked => ({ ...NOTHING_ASKED, date, guests })

/** The visitor's shortlist, or a shared one by its link. Opening a link changes nothing. */
export async function loader({ params, request, context, url }: Route.LoaderArgs) {
  const { db, now, rateLimits, config } = context.get(servicesContext)
  const asked = readAsked(url.search)
  const frame = { asked, today: wallTimeAt(now(), HOME_ZONE).date, query: askedQuery(asked) }
  const none = {
    ...frame,
    role: null,
    entries: [],
    comparison: null,
    choseTooFew: false,
    link: null,
    about: NO_ABOUT,
    votes: NO_VOTES,
  }
  if (params.link !== undefined) {
    if (!(await rateLimits.take(`shortlist-link:${limitedAddress(request)}`, LINK_LIMIT)))
      return data({ ...none, state: 'too_many' as const }, { status: 429 })
    const shared = isLinkToken(params.link) ? await findSharedList(db, await hashText(params.link)) : null
    if (!shared) return data({ ...none, state: 'ended' as const }, { status: 404 })
    const { visitor } = await readShortlistVisitor({ request, context })
    const own = await findList(db, visitor)
    // Its owner sees what others see, and can't join.
    const role = own?.id === shared.id ? own.role : null
    const [voterId = null] = await readSignedList(request.headers.get('cookie'), VOTER_COOKIE, config.secret)
    const content = await contentOf({ db, now }, shared.id, url, { voterId, isOwner: false })
    return data({ ...none, ...content, role, state: 'link' as const })
  }
  const { visitor, cookies } = await readShortlistVisitor({ request, context })
  const list = await findList(db, visitor)
  const isJoinedGone = visitor.joinedHash !== null && !list?.isJoined
  if (list) await recordUse({ db, now }, list)
  const isOwner = list?.role === 'owner'
  const content = list ? await contentOf({ db, now }, list.id, url, { voterId: null, isOwner }) : none
  return data(
    {
      ...none,
      ...content,
      role: list?.role ?? null,
      // With the day and the guests that were asked here, so that those who open it see the same totals and free days.
      link:
        list?.role === 'owner' && list.shareKey
          ? (await shareAddress({ config }, list.shareKey)) + askedQuery(sharedPart(readAsked(url.search)))
          : null,
      state: isJoinedGone ? ('joined_gone' as const) : ('own' as const),
    },
    { headers: cookies },
  )
}

async function contentOf(
  { db, now }: Pick<Services, 'db' | 'now'>,
  listId: string,
  url: URL,
  viewer: { voterId: string | null; isOwner: boolean },
) {
  const [about, votes] = await Promise.all([findAbout(db, listId), findVotes(db, listId, viewer)])
  const typed = readAsked(url.search)
  // An address that asks for nothing shows the owner's day and guests.
  const asked = askedQuery(typed) ? typed : { ...typed, date: about.date, guests: about.guests }
  const entries = await listEntries(db, listId, asked, now())
  const compared = pickCompared(
    url.searchParams.getAll('compare'),
    entries.flatMap(({ id, card }) => (card ? [id] : [])),
  )
  return {
    asked,
    query: askedQuery(asked),
    about,
    votes,
    entries,
    comparison: compared.length > 1 ? await compareBusinesses(db, compared, asked, now()) : null,
    choseTooFew: compared.length < 2 && url.searchParams.has(COMPARE_PRESS),
  }
}

const BUTTONS: readonly unknown[] = ['vote', 'unvote', 'remove-voter']

/** Also after a refused press of a button, which someone else's change may have caused. A refused form keeps what was typed. */
export const shouldRevalidate = ({ formData, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  defaultShouldRevalidate || BUTTONS.includes(formData?.get('intent'))

/** Changes the visitor's list. The page of a link only offers to join. */
export async function action({ params, request, context, url }: Route.ActionArgs) {
  const form = await readForm(request, SHORTLIST_FORMS)
  const { config, db } = context.get(servicesContext)
  const deps = shortlistDeps(context.get(servicesContext))
  const parsed = shortlistFormSchema.safeParse(Object.fromEntries(form))
  if (!parsed.success) {
    const isNote =
      form.get('intent') === 'note' && entrySchema.shape.businessId.safeParse(form.get('businessId')).success
    if (form.get('intent') === 'about') return refuseAbout('about', form)
    if (form.get('intent') === 'name') return refuseName('name', form)
    return isNote
      ? refuse('note', { businessId: String(form.get('businessId')), note: String(form.get('note')) })
      : refuse('malformed')
  }
  const { visitor, cookies } = await readShortlistVisitor({ request, context })
  const typed = parsed.data
  const here = `${href('/shortlist/:link?', {})}${url.search}`
  const back = () => redirect(here, { headers: cookies })
  switch (typed.intent) {
    case 'add': {
      const added = await addEntry(deps, visitor, typed.businessId)
      if (!added.ok) return refuse(added.reason)
      await renewOwnCookie(cookies, { config }, visitor, added)
      throw back()
    }
    case 'remove': {
      const removed = await removeEntry(deps, visitor, typed.businessId)
      return removed.ok
        ? data<ShortlistAnswer>({ ok: true, removed: typed.businessId }, { headers: cookies })
        : refuse(removed.reason)
    }
    case 'restore': {
      const restored = await addEntry(deps, visitor, typed.businessId)
      return restored.ok
        ? data<ShortlistAnswer>({ ok: true, restored: typed.businessId }, { headers: cookies })
        : refuse(restored.reason)
    }
    case 'note': {
      const { businessId, note, seen: expectedNote } = typed
      const noted = await noteEntry(deps, visitor, { businessId, note, expectedNote })
      return noted.ok
        ? data<ShortlistAnswer>({ ok: true, noted: typed.businessId }, { headers: cookies })
        : refuse(noted.reason, typed, noted.reason === 'note_changed' ? noted.present : undefined)
    }
    case 'share':
    case 'unshare': {
      const done = typed.intent === 'share' ? await shareList(deps, visitor) : await endSharing(deps, visitor)
      return done.ok
        ? data<ShortlistAnswer>({ ok: true, sharing: typed.intent }, { headers: cookies })
        : refuse(done.reason)
    }
    case 'about': {
      const described = await describeList(deps, visitor, typed)
      if (!described.ok) return refuseAbout(described.reason, form)
      throw redirect(href('/shortlist/:link?', {}), { headers: cookies })
    }
    case 'remove-voter': {
      const removed = await removeVoter(deps, visitor, typed.voter)
      return removed.ok
        ? data<ShortlistAnswer>({ ok: true, unvoter: typed.voter }, { headers: cookies })
        : refuse(removed.reason)
    }
    case 'name':
    case 'vote':
    case 'unvote':
      return vote({ request, link: params.link, context, url, form }, typed)
    case 'join': {
      const { link } = params
      const isThere = link && isLinkToken(link) && (await findSharedList(db, await hashText(link)))
      if (!isThere) return refuse('not_found')
      await setShortlistCookie(cookies, { config }, 'joined', link)
      throw back()
    }
    case 'leave':
      await setShortlistCookie(cookies, { config }, 'joined', null)
      throw back()
  }
}

function refuse(
  reason: Reason,
  typed: { businessId: string; note: string } | null = null,
  present: string | undefined = undefined,
) {
  const answer = { ok: false, reason, typed, ...(present === undefined ? {} : { present }) } as const
  return data<ShortlistAnswer>(answer, { status: SHORTLIST_STATUSES[reason] })
}

export default function Shortlist({ loaderData, actionData, params }: Route.ComponentProps) {
  return <ShortlistScreen page={loaderData} answer={actionData} link={params.link} />
}
