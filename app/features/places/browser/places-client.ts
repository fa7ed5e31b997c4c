import { href } from 'react-router'
import type { Coordinates } from '../rules.ts'

/** Fetches suggestions of suburbs and towns for the typed text. */
export async function findPlaces(text: string, signal: AbortSignal): Promise<readonly string[]> {
  const response = await fetch(`${href('/api/places')}?q=${encodeURIComponent(text)}`, { signal })
  const body = (await response.json()) as { places: string[] }
  return body.places
}

/** Finds the suburb or town nearest to a position. null if there is none nearby. */
export async function findPlaceAt({ latitude, longitude }: Coordinates): Promise<string | null> {
  const response = await fetch(href('/api/places'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ latitude, longitude }),
  })
  const body = (await response.json()) as { place: string | null }
  return body.place
}
