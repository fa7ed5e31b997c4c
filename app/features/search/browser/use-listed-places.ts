import { useEffect, useState } from 'react'

/**
 * Joins the cards of a list with the map: the card under the pointer or the focus has its place marked on the map, and
 * the cards of the place that was pressed on the map are marked in the list.
 * @param frame the element that contains the list
 * @param listed the businesses of the list, by which its links are known
 * @param pressed the label of the pressed place, or null
 * @returns the label of the place of the card under the pointer or the focus, or null
 */
export function useListedPlaces(
  frame: HTMLElement,
  listed: readonly { id: string; location: string }[],
  pressed: string | null,
): string | null {
  const [pointed, setPointed] = useState<string | null>(null)
  useEffect(() => {
    const places = new Map(listed.map(({ id, location }) => [id, location]))
    const cards = [...frame.querySelectorAll<HTMLElement>('.listed article')]
    const placeOf = (card: Element | null | undefined) => {
      const id = card?.querySelector('a')?.pathname.split('/').at(-1) ?? ''
      return places.get(id) ?? null
    }
    for (const card of cards)
      card.toggleAttribute('data-pressed', pressed !== null && placeOf(card) === pressed)
    const point = ({ target }: Event) =>
      setPointed(target instanceof Element ? placeOf(target.closest('.listed article')) : null)
    frame.addEventListener('pointerover', point)
    frame.addEventListener('focusin', point)
    return () => {
      for (const card of cards) card.removeAttribute('data-pressed')
      frame.removeEventListener('pointerover', point)
      frame.removeEventListener('focusin', point)
    }
  }, [frame, listed, pressed])
  return pointed
}
