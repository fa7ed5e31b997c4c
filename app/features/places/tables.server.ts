import type { Generated } from 'kysely'
import type { State } from './rules.ts'

type PlacesTable = {
  id: string
  name: string
  state: State
  latitude: number
  longitude: number
  time_zone: string
  population: number
  /** Keys of `AREAS`. */
  areas: Generated<string[]>
  postcodes: Generated<string[]>
}

type PlaceSetsTable = { hash: string }

declare module '../../adapters/database/port.ts' {
  interface Tables {
    places: PlacesTable
    place_sets: PlaceSetsTable
  }
}
