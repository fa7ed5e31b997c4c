import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
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
  'app/illustrations/**/*.ts',
  'app/routes/api/illustration.ts',
  'app/routes/site/site-image.server.ts',
  'app/features/files/*.ts',
  'package-lock.json',
]

/**
 * Creates once for all test files what they start from: the dumps of embedded databases, the databases of a PostgreSQL
 * server if this machine has one, the folder of the demo's pictures, and the browser.
 * @returns stops that server
 */
export async function setup(project: TestProject): Promise<() => void> {
  await browserProgram()
  await migratedDump()
  if (existsSync('build/source-hash'))
    for (const content of ['started', 'demo'] as const) await startedDump(content)
  project.provide('drawnPictures', keepPictures())
  return startTestServer()
}

/** Starts a temporary PostgreSQL server, unless TEST_DATABASE_URL names one. */
async function startTestServer(): Promise<() => void> {
  const programs = process.env.TEST_DATABASE_URL ? null : findPostgres()
  if (!programs) return () => {}
  // Two lanes of servers, each with its own connections.
  const cluster = await startPostgres(programs, ['max_connections=400', 'full_page_writes=off'])
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
function keepPictures(): string {
  const hash = createHash('sha256').update(userInfo().username)
  for (const path of globSync(DRAWING).sort()) hash.update(path).update(readFileSync(path))
  const folder = join(tmpdir(), `jubilee-pictures-${hash.digest('hex').slice(0, 16)}`)
  mkdirSync(folder, { recursive: true })
  return folder
}
