import type { State } from './rules.ts'

type PlacesTable = {
  id: string
  name: string
  state: State
  latitude: number
  longitude: number
  time_zone: string
  population: number
}

type PlaceSetsTable = { hash: string }

declare module '../../adapters/database/port.ts' {
  interface Tables {
    places: PlacesTable
    place_sets: PlaceSetsTable
  }
}
