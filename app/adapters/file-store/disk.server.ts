import { randomUUID } from 'node:crypto'
import { access, constants, mkdir, opendir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { checkedKey } from './keys.ts'
import type { FileStore } from './port.ts'

const contentTypes: Record<string, string> = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  pdf: 'application/pdf',
}
const UNKNOWN_CONTENT_TYPE = 'application/octet-stream'
const PART = '.part'

/**
 * Stores files in a folder of this machine, the embedded default. The key's extension determines the content type.
 * @param folder created when it is missing
 */
export function createDiskFileStore(folder: string): FileStore {
  const pathOf = (key: string) => join(folder, checkedKey(key))
  return {
    async put(key, file) {
      const path = pathOf(key)
      await mkdir(dirname(path), { recursive: true })
      // Write to a temporary file and rename it, so that no reader ever sees half a file, not even after a crash.
      const part = join(folder, `${randomUUID()}${PART}`)
      try {
        await writeFile(part, file.bytes)
        await rename(part, path)
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
    async read(key) {
      const path = pathOf(key)
      try {
        const bytes = await readFile(path)
        return { bytes, contentType: contentTypes[key.split('.').at(-1) ?? ''] ?? UNKNOWN_CONTENT_TYPE }
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
    async delete(key) {
      const path = pathOf(key)
      try {
        await rm(path)
      } catch (error) {
        if (!isMissing(error)) throw error
      }
    },
    async *list() {
      await mkdir(folder, { recursive: true })
      for await (const entry of await opendir(folder, { recursive: true })) {
        const isHalfWritten = entry.parentPath === folder && entry.name.endsWith(PART)
        if (!entry.isFile() || isHalfWritten) continue
        yield relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/')
      }
    },
    async check() {
      await mkdir(folder, { recursive: true })
      await access(folder, constants.R_OK | constants.W_OK)
    },
  }
}

/** Whether the path has no file: it doesn't exist, a segment of it is a file, or it is a folder. */
function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR' || code === 'ERR_FS_EISDIR'
}
