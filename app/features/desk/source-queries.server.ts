import { type RawBuilder, sql } from 'kysely'
import { DESK_ROWS } from './rules.ts'

/** Joins the sources of a desk's rows: each in the desk's order, by deadline, then by money, and limited before they are joined. */
export function joinSources(sources: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  const limited = sources.map(
    (source) => sql`(${source} order by by_at, cents desc nulls last limit ${DESK_ROWS})`,
  )
  return sql.join(limited, sql` union all `)
}
