import { findPlaceAt } from '../../places/browser/places-client.ts'

/** A position need not be exact, since only its suburb counts. An old one will do. */
const POSITION: PositionOptions = { enableHighAccuracy: false, maximumAge: 600_000, timeout: 20_000 }

/**
 * Asks the browser for the visitor's position, and returns its suburb. Only for a press of a button.
 * @returns null if the visitor refuses, without a position, far from all places, or offline
 */
export async function findOwnPlace(): Promise<string | null> {
  try {
    const { coords } = await new Promise<GeolocationPosition>((resolve, reject) => {
      navigator.geolocation.getCurrentPosition(resolve, reject, POSITION)
    })
    return await findPlaceAt(coords)
  } catch {
    return null
  }
}
