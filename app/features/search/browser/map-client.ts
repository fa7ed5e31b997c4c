import { href } from 'react-router'
import type { BusinessCardView } from '../../businesses/queries.server.ts'
import type { Category } from '../../businesses/rules.ts'
import type { MapGroup } from '../map-rules.ts'

/** The map of a list, as the server answers. */
export type MapAnswer = { groups: MapGroup[]; isPart: boolean; styleUrl: string | null }

/** A listing of a suburb, with its total and the query string of its address, as in the list. */
export type MapCard = BusinessCardView & { totalText?: string; asked?: string }

/** The list whose map it is: its address, and its category if that is in the path. */
export type MappedList = { href: string; category: Category | null }

/** Fetches the suburbs with matches of a list's search. */
export function findGroups(list: MappedList, signal: AbortSignal): Promise<MapAnswer> {
  return ask<MapAnswer>(list, {}, signal)
}

/** Fetches the cards of a suburb. */
export async function findCards(list: MappedList, placeId: string, signal: AbortSignal): Promise<MapCard[]> {
  const { businesses } = await ask<{ businesses: MapCard[] }>(list, { at: placeId }, signal)
  return businesses
}

async function ask<Answer>(
  { href: address, category }: MappedList,
  more: Record<string, string>,
  signal: AbortSignal,
): Promise<Answer> {
  const parameters = new URLSearchParams(address.split('?')[1] ?? '')
  for (const name of ['after', 'before', 'seen']) parameters.delete(name)
  if (category) parameters.set('category', category)
  for (const [name, value] of Object.entries(more)) parameters.set(name, value)
  parameters.sort()
  const response = await fetch(`${href('/api/map')}?${parameters}`, { signal })
  if (!response.ok) throw new Error(`The map answered ${response.status}.`)
  return (await response.json()) as Answer
}
