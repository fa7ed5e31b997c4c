import { useEffect, useState } from 'react'
import { href, useLocation } from 'react-router'
import { formatMoney, type PriceUnit } from '../../../shared/money.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import {
  type Asked,
  bookingQuery,
  freeText,
  priceAsked,
  readAsked,
  totalAsked,
  totalAskedText,
} from '../asked-rules.ts'
import { BOOK_NOW_TEXT, UNIT_TEXTS } from '../messages.ts'
import type { BusinessView } from '../queries.server.ts'

/**
 * The total for what a visitor has searched for, and whether it's free then. Below it, at the bottom of a phone's
 * screen, a bar with 'Book Now', shown while neither the booking buttons nor the footer are in view.
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
  const { search } = useLocation()
  const [asked, setAsked] = useState<Asked | null>(null)
  // The document is the same for all, so what was searched for is read once the page works.
  useEffect(() => {
    const read = readAsked(search)
    setAsked(read)
    onQuery(bookingQuery(read, business))
  }, [search, business, onQuery])
  const query = asked ? bookingQuery(asked, business) : ''
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
      {asked && query ? <AskedLine asked={asked} business={business} /> : null}
      <div
        inert={!shown}
        data-shown={shown}
        className="book-bar fixed inset-x-0 bottom-0 z-30 flex translate-y-full items-center justify-between gap-4 border-t border-line bg-surface px-5 pt-3 pb-[max(12px,env(safe-area-inset-bottom))] transition-transform data-[shown=true]:translate-y-0 md:hidden"
      >
        <p className="min-w-0 leading-tight">
          <span className="block truncate text-sm text-quiet">{business.name}</span>
          <span className="price text-lg">{formatMoney(business.priceCents)}</span>{' '}
          <span className="text-sm whitespace-nowrap text-quiet">{UNIT_TEXTS[business.priceUnit]}</span>
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

/** '$7,560 for 90 guests · free on 13 March 2027'. */
function AskedLine({ asked, business }: { asked: Asked; business: BusinessView }) {
  const [isFree, setFree] = useState<boolean | null>(null)
  const total = totalAsked(asked, business)
  const { unit } = priceAsked(asked, business)
  const quantity = total?.quantity ?? 1
  useEffect(() => {
    setFree(null)
    if (!asked.date) return
    const stop = new AbortController()
    void findWhetherFree(business.id, { ...asked, type: unit, quantity }, stop.signal).then(setFree)
    return () => stop.abort()
  }, [business.id, asked, unit, quantity])
  const texts = [
    totalAskedText(asked, business),
    asked.date && isFree !== null ? freeText(isFree, asked.date) : null,
  ].filter(Boolean)
  return (
    <p role="status" className="figures mt-4 font-semibold">
      {texts.join(' · ')}
    </p>
  )
}

/** Whether there is a free time, that of the search if it gives one. null if the server can't say. */
async function findWhetherFree(
  id: string,
  { date, time, type, quantity }: Asked & { type: PriceUnit; quantity: number },
  signal: AbortSignal,
): Promise<boolean | null> {
  const parameters = new URLSearchParams({ type, quantity: String(quantity) })
  if (time) {
    parameters.set('date', date)
    parameters.set('time', time)
  } else parameters.set('day', date)
  try {
    const response = await fetch(
      `${href('/api/availability/:businessId', { businessId: id })}?${parameters}`,
      { signal },
    )
    if (!response.ok) return null
    const found = (await response.json()) as { times?: unknown[]; refusal?: string | null }
    return time ? found.refusal === null : (found.times ?? []).length > 0
  } catch {
    return null
  }
}

/** The note below the booking buttons. */
export function BookNote({ bookable }: { bookable: boolean }) {
  return (
    <p className="mt-4 text-sm text-quiet">
      {bookable
        ? 'You pay when you book. The vendor answers within two days, and you get a full refund if they can’t do it.'
        : 'This vendor sets a price for each event. Ask for a quote, and book once it suits you.'}
    </p>
  )
}
