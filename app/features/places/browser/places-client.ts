import { href } from 'react-router'

/** Asks for the suburbs and towns that these letters may mean. */
export async function findPlaces(text: string, signal: AbortSignal): Promise<readonly string[]> {
  const response = await fetch(`${href('/api/places')}?q=${encodeURIComponent(text)}`, { signal })
  const found = (await response.json()) as { places: string[] }
  return found.places
}
