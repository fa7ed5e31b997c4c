import { href } from 'react-router'

/** Fetches suggestions of suburbs and towns for the typed text. */
export async function findPlaces(text: string, signal: AbortSignal): Promise<readonly string[]> {
  const response = await fetch(`${href('/api/places')}?q=${encodeURIComponent(text)}`, { signal })
  const body = (await response.json()) as { places: string[] }
  return body.places
}
