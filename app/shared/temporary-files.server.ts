import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The files of one request on disk. The server removes them once the request has ended, whatever its outcome. */
export type TemporaryFiles = {
  /** Writes a new file. @returns its path */
  write(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<string>
  remove(): Promise<void>
}

/** The temporary files of the request that is being handled. None in tests without a server. */
export const temporaryFiles = new AsyncLocalStorage<TemporaryFiles>()

const PREFIX = 'jubilee-body-'

/** Makes no folder before its first file. */
export function createTemporaryFiles(): TemporaryFiles {
  let folder: Promise<string> | null = null
  let count = 0
  return {
    async write(chunks) {
      folder ??= mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`))
      const path = join(await folder, String(count++))
      const file = await open(path, 'wx', 0o600)
      try {
        for await (const chunk of chunks) await file.writeFile(chunk)
      } finally {
        await file.close()
      }
      return path
    },
    async remove() {
      if (folder) await rm(await folder, { recursive: true, force: true })
    },
  }
}

/** Whether a temporary file found no room. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}

/** Removes the temporary files of processes that were killed. */
export function removeLeftFiles(): void {
  const parent = tmpdir()
  mkdirSync(parent, { recursive: true })
  for (const name of readdirSync(parent)) {
    const id = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : 0
    if (id > 0 && !isRunning(id)) rmSync(join(parent, name), { recursive: true, force: true })
  }
}

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return true
  } catch (error) {
    // Another user's process may not be signalled, but runs.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
