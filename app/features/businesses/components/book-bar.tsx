import { useEffect, useState } from 'react'
import { href } from 'react-router'
import { type Cents, formatMoney } from '../../../shared/money.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { depositText, payNowText, payWhenText } from '../../terms/deposit-messages.ts'
import { type Deposit, depositOf } from '../../terms/deposit-rules.ts'
import type { PayoutTimes } from '../../terms/rules.ts'
import {
  type Asked,
  askedQuery,
  askedTexts,
  bookingQuery,
  capitalised,
  FREE_DAYS_ID,
  forQuantityText,
  freeText,
  NOTHING_ASKED,
  periodAsked,
  totalAsked,
  totalAskedText,
} from '../asked-rules.ts'
import {
  changeAsked,
  useAsked,
  useAskedTime,
  useGuestLimit,
  useTravelText,
  useVisitAsked,
} from '../browser/use-asked.ts'
import {
  BOOK_NOW_TEXT,
  bookNoteText,
  CLEAR_TEXT,
  NO_PRICE_NOTE,
  SEE_FREE_DAYS_TEXT,
  UNIT_TEXTS,
  YOUR_EVENT_TEXT,
} from '../messages.ts'
import type { BusinessView } from '../queries.server.ts'
import { isBookable } from '../rules.ts'

/**
 * The panel's part of what was asked: the query strings of the booking form and of a question, the deposit in words, and
 * whether none can be promised for that time.
 */
export type AskedOfPanel = {
  query: string
  askQuery: string
  deposit: string | null
  isWithoutDeposit: boolean
}

/** The query string of a question, or a request for a quote, about what was asked. */
const askQueryOf = ({ date, guests }: Asked) => askedQuery({ ...NOTHING_ASKED, date, guests })

/**
 * The total for what a visitor asks for, and whether it's free then. Below it, at the bottom of a phone's screen, a bar
 * with the total and 'Book Now', shown while neither the booking buttons nor the footer are in view.
 * @param onAsked gets the panel's part of what was asked. Must be stable
 */
export function BookBar({
  business,
  payoutTimes,
  watched,
  onAsked,
}: {
  business: BusinessView
  payoutTimes: PayoutTimes | null
  watched: { current: HTMLElement | null }
  onAsked: (asked: AskedOfPanel) => void
}) {
  useVisitAsked(business.id)
  const asked = useAsked()
  const query = bookingQuery(asked, business)
  const maxGuests = useGuestLimit(business.id)
  const total = totalAsked(asked, business, maxGuests)
  const deposit = total && depositAsked(business, { asked, priceCents: total.cents, payoutTimes })
  const depositLine = deposit && depositText(deposit)
  const askQuery = askQueryOf(asked)
  const isWithoutDeposit =
    isTimed(asked) && !depositAsked(business, { asked, priceCents: business.priceCents, payoutTimes })
  useEffect(
    () => onAsked({ query, askQuery, deposit: depositLine, isWithoutDeposit }),
    [query, askQuery, depositLine, isWithoutDeposit, onAsked],
  )
  const [inView, setInView] = useState<readonly Element[] | null>(null)
  useEffect(() => {
    const elements = [watched.current, document.querySelector('footer')].filter((element) => element !== null)
    const seen = new Set<Element>()
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) seen.add(target)
        else seen.delete(target)
      }
      setInView([...seen])
    })
    for (const element of elements) observer.observe(element)
    return () => observer.disconnect()
  }, [watched])
  const shown = inView?.length === 0
  return (
    <>
      <AskedLine asked={asked} business={business} maxGuests={maxGuests} />
      <div
        inert={!shown}
        data-shown={shown}
        className="book-bar fixed inset-x-0 bottom-0 z-30 flex translate-y-full items-center justify-between gap-4 border-t border-line bg-surface px-5 pt-3 pb-[max(12px,env(safe-area-inset-bottom))] transition-transform data-[shown=true]:translate-y-0 md:hidden"
      >
        <p className="min-w-0 leading-tight">
          <span className="figures block truncate text-sm text-quiet">
            {deposit ? payNowText(deposit) : business.name}
          </span>
          <span className="price text-lg">{formatMoney(total?.cents ?? business.priceCents)}</span>{' '}
          <span className="text-sm whitespace-nowrap text-quiet">
            {total ? forQuantityText(total.quantity, total.unit) : UNIT_TEXTS[business.priceUnit]}
          </span>
        </p>
        <ButtonLink
          to={href('/book/:id', { id: business.id }) + query}
          rel="nofollow"
          state={{ business }}
          variant="primary"
          className="flex-none"
        >
          {BOOK_NOW_TEXT}
        </ButtonLink>
      </div>
    </>
  )
}

/**
 * Shows nothing. Takes up what was asked for a business that has no price to book.
 * @param onAsked gets the panel's part of it. Must be stable
 */
export function QuoteAsked({ id, onAsked }: { id: string; onAsked: (asked: AskedOfPanel) => void }) {
  useVisitAsked(id)
  const askQuery = askQueryOf(useAsked())
  useEffect(
    () => onAsked({ query: '', askQuery, deposit: null, isWithoutDeposit: false }),
    [askQuery, onAsked],
  )
  return null
}

/** '$7,560 for 90 guests · free on 13 March 2027'; before anything was chosen, the way to choose it. */
function AskedLine({
  asked,
  business,
  maxGuests,
}: {
  asked: Asked
  business: BusinessView
  maxGuests: number | null
}) {
  const found = useAskedTime(business.id, asked, business)
  const texts = [
    totalAskedText(asked, business, maxGuests),
    asked.date && found ? freeText(found.isFree, asked.date, asked.time) : null,
  ].filter(Boolean)
  const travel = useTravelText(business.id, asked.place)
  // Day and number stand in the fields; months and a place stand nowhere else.
  const said = asked.months || asked.place ? askedTexts(asked) : []
  return (
    <div className="mt-4 grid gap-1">
      <p>
        <span role="status" className="figures font-semibold">
          {capitalised(texts.join(' · '))}
        </span>
        {texts.length === 0 ? (
          <a href={`#${FREE_DAYS_ID}`} className="link">
            {SEE_FREE_DAYS_TEXT}
          </a>
        ) : null}
      </p>
      {travel ? <p className="text-sm font-semibold text-brand">{travel}</p> : null}
      {said.length > 0 ? (
        <p className="figures text-sm text-quiet">
          {`${YOUR_EVENT_TEXT}: ${said.join(' · ')}`}{' '}
          <button type="button" className="link" onClick={() => changeAsked(NOTHING_ASKED)}>
            {CLEAR_TEXT}
          </button>
        </p>
      ) : null}
    </div>
  )
}

/** The note below the booking buttons. @param answerTime how long the vendor has to answer: 'two days' */
export function BookNote({
  business,
  payoutTimes,
  answerTime,
}: {
  business: BusinessView
  payoutTimes: PayoutTimes | null
  answerTime: string
}) {
  const asked = useAsked()
  if (!isBookable(business)) return <p className="mt-4 text-sm text-quiet">{NO_PRICE_NOTE}</p>
  const deposit = depositAsked(business, { asked, priceCents: business.priceCents, payoutTimes })
  const when = payWhenText(business.terms.plan, {
    deposit,
    isDated: asked.date !== '',
    hasMonths: asked.months !== '',
    payoutTimes,
  })
  return <p className="mt-4 text-sm text-quiet">{bookNoteText(when, answerTime)}</p>
}

/** Whether the day is known, or the months. */
const isTimed = ({ date, months }: Asked) => date !== '' || months !== ''

function depositAsked(
  { terms: { plan } }: BusinessView,
  input: { asked: Asked; priceCents: Cents; payoutTimes: PayoutTimes | null },
): Deposit | null {
  return depositOf({ plan, ...input, event: input.asked, period: periodAsked(input.asked), now: new Date() })
}
