import { useEffect, useState } from 'react'
import { href } from 'react-router'
import { formatMoney } from '../../../shared/money.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { BOOK_NOW_TEXT, UNIT_TEXTS } from '../messages.ts'
import type { BusinessView } from '../queries.server.ts'

/** The bar at the bottom of a phone's screen, shown while neither the booking buttons nor the footer are in view. */
export function BookBar({
  business,
  watched,
}: {
  business: BusinessView
  watched: { current: HTMLElement | null }
}) {
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
        to={href('/book/:id', { id: business.id })}
        rel="nofollow"
        state={{ business }}
        variant="primary"
        className="flex-none"
      >
        {BOOK_NOW_TEXT}
      </ButtonLink>
    </div>
  )
}
