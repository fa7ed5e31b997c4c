import { useEffect, useMemo, useState } from 'react'
import { href } from 'react-router'
import { formatMoney } from '../../../shared/money.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import {
  type Asked,
  bookingQuery,
  capitalised,
  FREE_DAYS_ID,
  forQuantityText,
  freeText,
  totalAsked,
  totalAskedText,
} from '../asked-rules.ts'
import { useAsked, useAskedTime, useGuestLimit } from '../browser/use-asked.ts'
import { BOOK_NOW_TEXT, SEE_FREE_DAYS_TEXT, UNIT_TEXTS } from '../messages.ts'
import type { BusinessView } from '../queries.server.ts'

/**
 * The total for what a visitor asks for, and whether it's free then. Below it, at the bottom of a phone's screen, a bar
 * with the total and 'Book Now', shown while neither the booking buttons nor the footer are in view.
 * @param onQuery gets the query string with which the booking form opens
 */
export function BookBar({
  business,
  watched,
  onQuery,
}: {
  business: BusinessView
  watched: { current: HTMLElement | null }
  onQuery: (query: string) => void
}) {
  const asked = useAsked()
  const query = bookingQuery(asked, business)
  const maxGuests = useGuestLimit(business.id)
  // A number that the vendor doesn't take has no total.
  const isTooMany = maxGuests !== null && (asked.guests ?? 0) > maxGuests
  const priced = useMemo(() => (isTooMany ? { ...asked, guests: null } : asked), [asked, isTooMany])
  const total = totalAsked(priced, business)
  useEffect(() => onQuery(query), [query, onQuery])
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
      <AskedLine asked={priced} business={business} />
      <div
        inert={!shown}
        data-shown={shown}
        className="book-bar fixed inset-x-0 bottom-0 z-30 flex translate-y-full items-center justify-between gap-4 border-t border-line bg-surface px-5 pt-3 pb-[max(12px,env(safe-area-inset-bottom))] transition-transform data-[shown=true]:translate-y-0 md:hidden"
      >
        <p className="min-w-0 leading-tight">
          <span className="block truncate text-sm text-quiet">{business.name}</span>
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

/** '$7,560 for 90 guests · free on 13 March 2027'; before anything was chosen, the way to choose it. */
function AskedLine({ asked, business }: { asked: Asked; business: BusinessView }) {
  const found = useAskedTime(business.id, asked, business)
  const texts = [
    totalAskedText(asked, business),
    asked.date && found ? freeText(found.isFree, asked.date, asked.time) : null,
  ].filter(Boolean)
  return (
    <p className="mt-4">
      <span role="status" className="figures font-semibold">
        {capitalised(texts.join(' · '))}
      </span>
      {texts.length === 0 ? (
        <a href={`#${FREE_DAYS_ID}`} className="link">
          {SEE_FREE_DAYS_TEXT}
        </a>
      ) : null}
    </p>
  )
}

/** The note below the booking buttons. @param answerTime how long the vendor has to answer: 'two days' */
export function BookNote({ bookable, answerTime }: { bookable: boolean; answerTime: string }) {
  return (
    <p className="mt-4 text-sm text-quiet">
      {bookable
        ? `You pay when you book. The vendor answers within ${answerTime}, and you get a full refund if they can’t do it.`
        : 'This vendor sets a price for each event. Ask for a quote, and book once it suits you.'}
    </p>
  )
}
