import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Database } from '../../adapters/database/port.ts'
import type { State } from './rules.ts'

const ROWS_PER_INSERT = 500

/**
 * Loads the table of places from the repository's file, once per version of the file. Keeps places that are no longer
 * in the file, since businesses may be there.
 * @param path the path of places.tsv (its sources are in docs/places.md)
 */
export async function loadPlaces(db: Database, path: string): Promise<void> {
  const file = readFileSync(path, 'utf8')
  const hash = createHash('sha256').update(file).digest('hex')
  const known = await db.selectFrom('place_sets').select('hash').where('hash', '=', hash).executeTakeFirst()
  if (known) return
  const rows = file
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [id = '', name = '', state, latitude, longitude, time_zone = '', population, areas, postcodes] =
        line.split('\t')
      return {
        id,
        name,
        state: state as State,
        latitude: Number(latitude),
        longitude: Number(longitude),
        time_zone,
        population: Number(population),
        areas: listOf(areas),
        postcodes: listOf(postcodes),
      }
    })
  await db.transaction().execute(async (tx) => {
    for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
      await tx
        .insertInto('places')
        .values(rows.slice(start, start + ROWS_PER_INSERT))
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet((eb) => ({
            name: eb.ref('excluded.name'),
            state: eb.ref('excluded.state'),
            latitude: eb.ref('excluded.latitude'),
            longitude: eb.ref('excluded.longitude'),
            time_zone: eb.ref('excluded.time_zone'),
            population: eb.ref('excluded.population'),
            areas: eb.ref('excluded.areas'),
            postcodes: eb.ref('excluded.postcodes'),
          })),
        )
        .execute()
    }
    await tx
      .insertInto('place_sets')
      .values({ hash })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
}

/** The words of a cell of places.tsv. */
function listOf(cell = ''): string[] {
  return cell.split(' ').filter(Boolean)
}
