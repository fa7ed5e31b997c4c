import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { href, useLocation } from 'react-router'
import { isLocalDate, isLocalTime, type LocalDate, type LocalTime } from '../../../shared/dates.ts'
import { formDraft } from '../../../ui/form-draft.ts'
import {
  ASKED_PARAMETERS,
  type Asked,
  askedBeside,
  askedQuery,
  bookingDraftKey,
  priceAsked,
  readAsked,
} from '../asked-rules.ts'
import type { Pricing } from '../rules.ts'

/** How long an answer about a time is reused: the two parts of a page that show it ask once. */
const REUSE_MS = 5_000

const listeners = new Set<() => void>()
let news = 0

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function tellAll(): void {
  for (const listener of listeners) listener()
}

/**
 * Returns the date, time, guests and hours in the address of a business's page. Empty during hydration, since the server's HTML
 * is the same for all visitors.
 */
export function useAsked(): Asked {
  // Renders again after a navigation. The router doesn't know what `changeAsked` writes, so the window's address counts.
  useLocation()
  const search = useSyncExternalStore(
    subscribe,
    () => window.location.search,
    () => '',
  )
  return useMemo(() => readAsked(search), [search])
}

/**
 * Writes a choice into the page's address, so that a reload, a bookmark and the way back keep it. Without the router,
 * which would load the page again, although its document ignores these parameters.
 */
export function changeAsked(change: Partial<Asked>): void {
  visit.keep({ query: askedQuery(writeAsked(change)) })
}

function writeAsked(change: Partial<Asked>): Asked {
  const { pathname, search, hash } = window.location
  const parameters = new URLSearchParams(search)
  const asked = { ...readAsked(search), ...change }
  for (const name of ASKED_PARAMETERS) {
    if (asked[name]) parameters.set(name, String(asked[name]))
    else parameters.delete(name)
  }
  const query = parameters.size > 0 ? `?${parameters}` : ''
  window.history.replaceState(window.history.state, '', pathname + query + hash)
  tellAll()
  return asked
}

/** The last values asked in this tab. They aren't in the links of every page, but hold for each vendor of the visit. */
const visit = formDraft<{ query: string }>({
  key: 'asked',
  parse: ({ query }) => ({ query: typeof query === 'string' ? query : '' }),
})

/**
 * Completes the address of a business's page with what was asked earlier in the visit. An address that asks for anything
 * replaces the earlier values. A day that was typed into this business's booking form stays.
 */
export function useVisitAsked(businessId: string): void {
  useEffect(() => {
    const query = askedQuery(readAsked(window.location.search))
    if (query) visit.keep({ query })
    else {
      const earlier = askedBeside(readAsked(visit.read()?.query ?? ''), keptDate(businessId))
      if (askedQuery(earlier)) writeAsked(earlier)
    }
  }, [businessId])
}

function keptDate(businessId: string): string {
  const draft = formDraft<{ date: string }>({
    key: bookingDraftKey(businessId),
    parse: ({ date }) => ({ date: typeof date === 'string' ? date : '' }),
  })
  return draft.read()?.date ?? ''
}

/** Reports that free times may have changed, so that the answers about them are fetched again. */
export function renewAskedTime(): void {
  news += 1
  tellAll()
}

let limit: { id: string; maxGuests: number | null } | null = null

/** Reports the maximum number of guests that a business takes, once the server has said it. */
export function setGuestLimit(id: string, maxGuests: number | null): void {
  if (limit?.id === id && limit.maxGuests === maxGuests) return
  limit = { id, maxGuests }
  tellAll()
}

/** The maximum number of guests that a business takes; null for no limit of its own, and while it is unknown. */
export function useGuestLimit(id: string): number | null {
  return useSyncExternalStore(
    subscribe,
    () => (limit?.id === id ? limit.maxGuests : null),
    () => null,
  )
}

/** A day, or a time, that is free instead. */
export type NearFree = { date: LocalDate; time: LocalTime | '' }

/** Whether what was asked is free, with the nearest that is if it isn't. */
export type AskedTime = { isFree: boolean; nearest: readonly NearFree[] }

/** Asks whether the requested day, or its time, is free. Null without a date, or while the server can't say. */
export function useAskedTime(id: string, asked: Asked, pricing: Pricing): AskedTime | null {
  const { unit } = priceAsked(asked, pricing)
  const quantity = (unit === 'perPerson' ? null : asked.hours) ?? 1
  const { date, time } = asked
  const version = useSyncExternalStore(
    subscribe,
    () => news,
    () => 0,
  )
  const key = date
    ? new URLSearchParams({ date, time, type: unit, quantity: String(quantity) }).toString()
    : ''
  const [found, setFound] = useState<{ key: string; answer: AskedTime | null } | null>(null)
  useEffect(() => {
    if (!key) return
    let isOver = false
    void askOnce(id, key, version).then((answer) => {
      if (!isOver) setFound({ key, answer })
    })
    return () => {
      isOver = true
    }
  }, [id, key, version])
  return key !== '' && found?.key === key ? found.answer : null
}

let latest: { key: string; at: number; answer: Promise<AskedTime | null> } | null = null

function askOnce(id: string, query: string, version: number): Promise<AskedTime | null> {
  const key = `${id} ${query} ${version}`
  if (!latest || latest.key !== key || Date.now() - latest.at > REUSE_MS) {
    latest = { key, at: Date.now(), answer: findAskedTime(id, new URLSearchParams(query)) }
  }
  return latest.answer
}

async function findAskedTime(id: string, asked: URLSearchParams): Promise<AskedTime | null> {
  const date = asked.get('date') ?? ''
  const time = asked.get('time') ?? ''
  const length = { type: asked.get('type') ?? '', quantity: asked.get('quantity') ?? '' }
  const get = async (question: Record<string, string>) => {
    const path = href('/api/availability/:businessId', { businessId: id })
    const response = await fetch(`${path}?${new URLSearchParams({ ...question, ...length })}`)
    return response.ok ? ((await response.json()) as Record<string, unknown>) : null
  }
  try {
    if (time) {
      const answer = await get({ date, time })
      return answer && { isFree: answer.refusal === null, nearest: nearestOf(answer.alternatives) }
    }
    const answer = await get({ day: date })
    if (!answer || !Array.isArray(answer.times)) return null
    if (answer.times.length > 0) return { isFree: true, nearest: [] }
    const days = (await get({ nearest: date }))?.nearest
    return {
      isFree: false,
      nearest: nearestOf(Array.isArray(days) ? days.map((day) => ({ date: day })) : []),
    }
  } catch {
    // No connection: the total is right without it.
    return null
  }
}

function nearestOf(found: unknown): NearFree[] {
  return (Array.isArray(found) ? found : []).flatMap((near: { date?: unknown; time?: unknown }) => {
    const [date, time] = [String(near?.date), String(near?.time ?? '')]
    return isLocalDate(date) && (time === '' || isLocalTime(time)) ? [{ date, time }] : []
  })
}

/** The server's text about the place of the event and this business: 'Travels to Williamstown (32 km)'. Null for none. */
export function useTravelText(id: string, place: string): string | null {
  const [found, setFound] = useState<{ key: string; text: string | null } | null>(null)
  const key = `${id} ${place}`
  useEffect(() => {
    if (!place) return
    const stop = new AbortController()
    const ask = async () => {
      try {
        const path = href('/api/travel/:businessId', { businessId: id })
        const response = await fetch(`${path}?${new URLSearchParams({ place })}`, { signal: stop.signal })
        const { text } = (await response.json()) as { text?: unknown }
        setFound({ key: `${id} ${place}`, text: typeof text === 'string' ? text : null })
      } catch {
        // Aborted, or no connection: the page is right without it.
      }
    }
    void ask()
    return () => stop.abort()
  }, [id, place])
  return place && found?.key === key ? found.text : null
}
