import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { basename, join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { createTemplates, migratedDump, startedDump } from './database.ts'
import { browserProgram } from './e2e/browser-program.ts'
import { findPostgres, startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder for the demo's drawn pictures: drawing them again for each file takes minutes. */
    drawnPictures: string
  }
}

/** The sources that determine the pixels of a drawn picture. */
const DRAWING = [
  'content/illustrations/**/*.ts',
  'app/routes/api/illustration.ts',
  'app/routes/site/site-image.server.ts',
  'app/features/files/*.ts',
  'package-lock.json',
]

/** The file system in memory that every Linux has, though a container's may be small. */
const MEMORY_FOLDER = '/dev/shm'
/** A whole run uses half of it. */
const MEMORY_BYTES = 4 * 2 ** 30
const RUN_PREFIX = 'jubilee-tests-'

/**
 * Creates once for all test files what they start from: a folder for their temporary files, the dumps of embedded databases,
 * the databases of a PostgreSQL server if this machine has one, the folder of the demo's pictures, and the browser.
 * @returns stops that server and removes the temporary files
 */
export async function setup(project: TestProject): Promise<() => void> {
  const program = await browserProgram()
  const kept = picturesFolder()
  const folder = moveTemporaryFiles()
  const pictures = isInMemory() ? join(tmpdir(), 'pictures') : kept
  mkdirSync(kept, { recursive: true })
  if (folder) {
    cpSync(kept, pictures, { recursive: true })
    // The npm package would unpack its Chromium again.
    symlinkSync(program, join(folder, basename(program)))
  }
  await migratedDump()
  if (existsSync('build/source-hash'))
    for (const content of ['started', 'demo'] as const) await startedDump(content)
  project.provide('drawnPictures', pictures)
  const stopServer = await startTestServer()
  return () => {
    stopServer()
    if (!folder) return
    // A picture never changes. Written again, it would be empty for a moment, and another run that begins then would keep it so.
    cpSync(pictures, kept, { recursive: true, force: false })
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Whether the setup of another project has moved the temporary files already. */
const isInMemory = () => tmpdir().startsWith(join(MEMORY_FOLDER, RUN_PREFIX))

/**
 * Moves the temporary files of this run into memory, where a database is copied in a tenth of the time. A TMPDIR of the
 * environment stays.
 * @returns the folder, or null without enough memory or if nothing was moved
 */
function moveTemporaryFiles(): string | null {
  if (process.env.TMPDIR || !existsSync(MEMORY_FOLDER)) return null
  for (const name of readdirSync(MEMORY_FOLDER))
    if (name.startsWith(RUN_PREFIX) && !existsSync(join('/proc', name.slice(RUN_PREFIX.length))))
      rmSync(join(MEMORY_FOLDER, name), { recursive: true, force: true })
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
  if (bavail * bsize < MEMORY_BYTES) return null
  const folder = join(MEMORY_FOLDER, `${RUN_PREFIX}${process.pid}`)
  mkdirSync(folder)
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  return folder
}

/** Starts a temporary PostgreSQL server, unless TEST_DATABASE_URL names one. */
async function startTestServer(): Promise<() => void> {
  const programs = process.env.TEST_DATABASE_URL ? null : findPostgres()
  if (!programs) return () => {}
  // Each lane has servers with connections of their own. No database lives long enough to be worth cleaning up.
  const cluster = await startPostgres(programs, [
    'max_connections=400',
    'full_page_writes=off',
    'autovacuum=off',
  ])
  await createTemplates(cluster.url)
  process.env.TEST_DATABASE_URL = cluster.url
  return () => {
    delete process.env.TEST_DATABASE_URL
    cluster.stop()
  }
}

/**
 * The folder of pictures drawn by the current sources, shared by successive runs. It is beside the servers' data, since
 * the disk store renames a new file into place, which does not work across file systems.
 */
function picturesFolder(): string {
  const hash = createHash('sha256').update(userInfo().username)
  for (const path of globSync(DRAWING).sort()) hash.update(path).update(readFileSync(path))
  return join(tmpdir(), `jubilee-pictures-${hash.digest('hex').slice(0, 16)}`)
}
