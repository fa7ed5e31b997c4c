import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migratedDump, startedDump } from './database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder in which this run keeps the demo's pictures: drawing them anew for each file takes minutes. */
    drawnPictures: string
  }
}

/** Makes once what the test files would each make: the dumps of databases, and the demo's pictures. */
export async function setup(project: TestProject): Promise<() => void> {
  await migratedDump()
  if (existsSync('build/source-hash'))
    for (const content of ['started', 'demo'] as const) await startedDump(content)
  const drawnPictures = mkdtempSync(join(tmpdir(), 'jubilee-pictures-'))
  project.provide('drawnPictures', drawnPictures)
  return () => rmSync(drawnPictures, { recursive: true, force: true })
}
