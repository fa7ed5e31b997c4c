import { type RawBuilder, sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../database/port.ts'

/** A table's name and columns, without generated columns. */
export type TableShape = { name: string; columns: string[] }

/** A sequence and its last value; null when it was never used. */
export type SequencePosition = { name: string; lastValue: string | null }

const ROWS_AT_ONCE = 500
const MAX_STATEMENT_CHARACTERS = 1_000_000

/**
 * Whether this database has no tables at all: none of ours, of the job queue or of any other program.
 * @param db any handle
 */
export async function isEmptyDatabase(db: Database): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select (to_regnamespace('jobs') is not null or exists (${ownTables()})) as found`.execute(db)
  return rows[0]?.found === false
}

/** The schema's tables, sorted by name. */
export async function listTableShapes(tx: DatabaseTransaction): Promise<TableShape[]> {
  const { rows } = await sql<TableShape>`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.oid in (${ownTables()})
    group by c.relname order by c.relname`.execute(tx)
  return rows
}

/** The schema's sequences, including those of identity columns. */
export async function listSequences(tx: DatabaseTransaction): Promise<SequencePosition[]> {
  const { rows } = await sql<SequencePosition>`
    select sequencename::text as name, last_value::text as "lastValue"
    from pg_sequences where schemaname = 'public' order by sequencename`.execute(tx)
  return rows
}

/**
 * Gives this transaction one consistent snapshot despite concurrent writes, and makes values read and write alike on
 * every server. Must be the transaction's first statement.
 */
export async function beginCopy(tx: DatabaseTransaction): Promise<void> {
  await sql`set transaction isolation level repeatable read`.execute(tx)
  for (const setting of [
    "datestyle = 'ISO, YMD'",
    "intervalstyle = 'postgres'",
    "timezone = 'UTC'",
    "bytea_output = 'hex'",
    'extra_float_digits = 3',
  ])
    await sql`set local ${sql.raw(setting)}`.execute(tx)
}

/**
 * Reads a table row by row. Each row is one line: a JSON array of the columns' values in PostgreSQL's own text form (or
 * null), which is exact for every type, including those of extensions.
 * @param tx after `beginCopy`
 */
export async function* readRows(tx: DatabaseTransaction, table: TableShape): AsyncGenerator<string> {
  const values = sql.join(table.columns.map((column) => sql`${sql.ref(column)}::text`))
  await sql`declare copied_rows no scroll cursor for
    select array_to_json(array[${values}])::text as line from only ${sql.table(table.name)}`.execute(tx)
  for (;;) {
    const { rows } = await sql<{
      line: string
    }>`fetch ${sql.raw(String(ROWS_AT_ONCE))} from copied_rows`.execute(tx)
    for (const { line } of rows) yield line
    if (rows.length < ROWS_AT_ONCE) break
  }
  await sql`close copied_rows`.execute(tx)
}

/**
 * Fills tables in any order. While `load` runs, triggers are disabled and foreign keys are dropped. Adding the keys
 * again checks them. Needs no privilege beyond owning the tables.
 * @param tx after `beginCopy`; rows that migrations inserted are deleted first
 */
export async function loadTables(
  tx: DatabaseTransaction,
  tables: readonly string[],
  load: () => Promise<void>,
): Promise<void> {
  const { rows: keys } = await sql<{ name: string; table: string; definition: string }>`
    select conname::text as name, conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0`.execute(tx)
  for (const { name, table } of keys)
    await sql`alter table ${sql.raw(table)} drop constraint ${sql.ref(name)}`.execute(tx)
  for (const table of tables) {
    await sql`alter table ${sql.table(table)} disable trigger user`.execute(tx)
    await sql`delete from ${sql.table(table)}`.execute(tx)
  }
  await load()
  await sql`set constraints all immediate`.execute(tx)
  for (const table of tables) await sql`alter table ${sql.table(table)} enable trigger user`.execute(tx)
  for (const { name, table, definition } of keys) {
    await sql`alter table ${sql.raw(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(
      tx,
    )
  }
}

/**
 * Writes rows from `readRows`.
 * @param table its columns in the order of the lines' values; their types come from this database
 * @returns the number of rows
 */
export async function writeRows(
  tx: DatabaseTransaction,
  table: TableShape,
  lines: AsyncIterable<string>,
): Promise<number> {
  const types = await columnTypes(tx, table.name)
  const values = sql.join(
    table.columns.map((column, index) => {
      const type = types.get(column)
      if (!type) throw new Error(`The table ${table.name} has no column ${column} in this database.`)
      return sql`(r ->> ${sql.raw(String(index))})::${sql.raw(type)}`
    }),
  )
  const insert = (rows: RawBuilder<unknown>) => sql`
    insert into ${sql.table(table.name)} (${sql.join(table.columns.map((column) => sql.ref(column)))})
    overriding system value select ${values} from json_array_elements(${rows}) r`
  let count = 0
  let waiting: string[] = []
  let characters = 0
  const flush = async () => {
    if (waiting.length > 0) await insert(sql`${`[${waiting.join(',')}]`}::json`).execute(tx)
    count += waiting.length
    waiting = []
    characters = 0
  }
  for await (const line of lines) {
    waiting.push(line)
    characters += line.length
    if (waiting.length >= ROWS_AT_ONCE || characters >= MAX_STATEMENT_CHARACTERS) await flush()
  }
  await flush()
  return count
}

/** Restores the sequences' last values. */
export async function setSequences(
  tx: DatabaseTransaction,
  positions: readonly SequencePosition[],
): Promise<void> {
  for (const { name, lastValue } of positions) {
    if (lastValue !== null)
      await sql`select setval(${`public.${name}`}::regclass, ${lastValue}::bigint)`.execute(tx)
  }
}

/** The number of rows in a table. */
export async function countRows(tx: DatabaseTransaction, table: string): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*)::text as count from only ${sql.table(table)}`.execute(tx)
  return Number(rows[0]?.count)
}

async function columnTypes(tx: DatabaseTransaction, table: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; type: string }>`
    select attname::text as name, format_type(atttypid, atttypmod) as type
    from pg_attribute where attrelid = ${`public.${table}`}::regclass and attnum > 0 and not attisdropped`.execute(
    tx,
  )
  return new Map(rows.map(({ name, type }) => [name, type]))
}

/** The ids of the schema's tables, without those that belong to an extension. */
function ownTables() {
  return sql`
    select t.oid from pg_class t
    where t.relnamespace = 'public'::regnamespace and t.relkind = 'r'
      and not exists (select from pg_depend d where d.objid = t.oid and d.deptype = 'e')`
}
