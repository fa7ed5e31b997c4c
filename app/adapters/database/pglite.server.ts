import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { LogEvent } from 'kysely'
import { PgliteThreadDialect } from './pglite-dialect.server.ts'
import { PgliteThread } from './pglite-thread.server.ts'
import type { DatabaseConnection, Tables } from './port.ts'
import { RepeatingKysely } from './transactions.server.ts'

/** The embedded PostgreSQL, with Kysely and with the PGlite handle that the job queue needs. */
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

/** The embedded database can't be opened. The message says what to do. */
class DatabaseNotOpened extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DatabaseNotOpened'
  }
}

/** The log of the database grows by files of 16 MB, and it can't start without room for the next two. */
const NEEDED_BYTES = 48 * 1024 * 1024

/**
 * Says in words why the files of a database could not be opened. The engine itself says only that it has ended.
 * @param freeBytes of the disk that has the folder
 */
export function notOpened(folder: string, freeBytes: number, cause: unknown): DatabaseNotOpened {
  return new DatabaseNotOpened(
    freeBytes < NEEDED_BYTES
      ? `The disk is full: ${folder} has ${Math.floor(freeBytes / 1024 / 1024)} MB left, and the database needs ${NEEDED_BYTES / 1024 / 1024}.
Free some space and start again. What was saved is still there.`
      : `The database in ${folder} is damaged and can’t be opened.
Move the folder away, and restore a backup: npm run restore -- folder (docs/operate.md). Without a backup the next start makes an empty database.`,
    { cause },
  )
}

/** Opens the files, or says in words why they can't be. */
async function openFiles(folder: string | null, dump: Blob | undefined): Promise<PgliteThread> {
  const dataFolder = folder && join(folder, 'database')
  try {
    return await PgliteThread.open(dataFolder, dump)
  } catch (error) {
    if (!folder || !dataFolder || dump) throw error
    const { bavail, bsize } = statfsSync(folder)
    throw notOpened(dataFolder, bavail * bsize, error)
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
 * @param options.onUnavailable called in the caller's async context when the database can't serve, as with a full disk
 * @throws DataFolderInUse when another live process holds the folder, DatabaseNotOpened
 */
export async function openPglite(
  folder: string | null,
  options: {
    dump?: Blob
    onStatement?: ((event: LogEvent) => void) | null
    onUnavailable?: () => void
  } = {},
): Promise<PgliteConnection> {
  const unlock = folder ? lockFolder(folder) : () => {}
  const pglite = await openFiles(folder, options.dump).catch((error: unknown) => {
    unlock()
    throw error
  })
  await pglite.exec(PLANNER_COSTS)
  const db = new RepeatingKysely<Tables>({
    dialect: new PgliteThreadDialect(pglite, options.onUnavailable),
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
