import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, type LogEvent } from 'kysely'
import { PgliteThreadDialect } from './pglite-dialect.server.ts'
import { PgliteThread } from './pglite-thread.server.ts'
import type { DatabaseConnection, Tables } from './port.ts'

/** The embedded PostgreSQL, with the PGlite handle that the job queue needs besides Kysely. */
export type PgliteConnection = DatabaseConnection & { kind: 'pglite'; pglite: PgliteThread }

/** The data folder is in use by another running process. */
export class DataFolderInUse extends Error {
  constructor(folder: string, pid: number) {
    super(
      `The data folder ${folder} is in use by another Jubilee (process ${pid}). The embedded database serves one process: stop the other one, set DATA_DIR to another folder, or set DATABASE_URL to share a PostgreSQL.`,
    )
    this.name = 'DataFolderInUse'
  }
}

/**
 * Tells the planner two costs. The files are in memory, so a page out of order costs what the next one does. And unpacking
 * a listing's words into the array of the term index costs a hundred operations, not one: a market of ten thousand was read
 * and unpacked from end to end, which took a second for a map of the country (now 60 ms).
 */
const PLANNER_COSTS = `
  set random_page_cost = 1.1;
  do $$ begin
    if (select procost < 100 from pg_proc where oid = 'tsvector_to_array(tsvector)'::regprocedure) then
      alter function tsvector_to_array(tsvector) cost 100;
    end if;
  end $$;`

/**
 * Opens the embedded PostgreSQL on its own thread, so that its queries don't block the process.
 * @param folder the folder of its files, or null for a database in memory (tests)
 * @param options.dump the initial data directory, made by `dumpDataDir` (tests)
 * @param options.onStatement called after each statement
 * @throws DataFolderInUse when another live process holds the folder
 */
export async function openPglite(
  folder: string | null,
  options: { dump?: Blob; onStatement?: ((event: LogEvent) => void) | null } = {},
): Promise<PgliteConnection> {
  const unlock = folder ? lockFolder(folder) : () => {}
  const pglite = await PgliteThread.open(folder ? join(folder, 'database') : null, options.dump)
  await pglite.exec(PLANNER_COSTS)
  const db = new Kysely<Tables>({
    dialect: new PgliteThreadDialect(pglite),
    ...(options.onStatement ? { log: options.onStatement } : {}),
  })
  return {
    kind: 'pglite',
    db,
    pglite,
    async executeScript(sql) {
      await pglite.exec(sql)
    },
    // The thread can't be lost without the process, so onLost and onReconnect never happen.
    async listen(channel, { onMessage }) {
      const stop = await pglite.listen(channel, onMessage)
      return async () => {
        if (!pglite.closed) await stop()
      }
    },
    // Only this process uses the folder, so there is no race.
    withLock: (work) => work(),
    async close() {
      await pglite.close()
      unlock()
    },
  }
}

/**
 * Locks the folder for this process. The lock names the process and is void once that process has ended, so a kill -9
 * leaves nothing to clean up by hand.
 */
function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'lock')
  for (let tries = 0; tries < 3; tries++) {
    try {
      const file = openSync(path, 'wx')
      writeFileSync(file, `${process.pid} ${startOfProcess(process.pid)}\n`)
      closeSync(file)
      return () => rmSync(path, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const [pidText = '', startText = ''] = readFileSync(path, 'utf8').trim().split(' ')
      const pid = Number(pidText)
      if (pid && pid !== process.pid && isRunning(pid) && startOfProcess(pid) === startText) {
        throw new DataFolderInUse(folder, pid)
      }
      rmSync(path, { force: true })
    }
  }
  throw new DataFolderInUse(folder, 0)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A process's start time, so that a reused process id isn't mistaken for the old holder. '' where unknown. */
function startOfProcess(pid: number): string {
  const path = `/proc/${pid}/stat`
  if (!existsSync(path)) return ''
  try {
    // The name in parentheses may hold spaces; the start time is the 20th field after it.
    return readFileSync(path, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? ''
  } catch {
    return ''
  }
}
