import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { getMimeType } from 'hono/utils/mime'
import { type CachedResponse, cacheResponse } from './cached-response.ts'

/** Names in assets/ contain a hash of the content, so these files never change. */
const ASSETS = '/assets/'
const FOREVER = 'public, max-age=31536000, immutable'
const AN_HOUR = 'public, max-age=3600'

/**
 * Reads the files of the build, a total of 3 MB, so that no request waits for a disk and no path can lead outside the
 * folder.
 * @param folder has a `.br` and a `.gz` beside each compressible file
 * @param headers the headers of every response
 * @returns the response for each path, such as '/assets/app-1a2b.css'
 */
export function readStaticFiles(
  folder: string,
  headers: Record<string, string>,
): Map<string, CachedResponse> {
  const answers = new Map<string, CachedResponse>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || /\.(br|gz)$/.test(entry.name)) continue
    const file = join(entry.parentPath, entry.name)
    const path = `/${relative(folder, file).split(sep).join('/')}`
    const plain = readFileSync(file)
    answers.set(
      path,
      cacheResponse(
        plain,
        {
          ...headers,
          'content-type': getMimeType(entry.name) ?? 'application/octet-stream',
          'cache-control': path.startsWith(ASSETS) ? FOREVER : AN_HOUR,
        },
        {
          plain,
          ...(existsSync(`${file}.br`) ? { br: readFileSync(`${file}.br`) } : {}),
          ...(existsSync(`${file}.gz`) ? { gzip: readFileSync(`${file}.gz`) } : {}),
        },
      ),
    )
  }
  return answers
}

/**
 * Returns the path of a file whose folders are written in capitals, '/Legal/terms-of-service.pdf' for example, or null.
 * File names keep their case (Decision 31).
 */
export function correctFilePath(files: ReadonlyMap<string, unknown>, path: string): string | null {
  const end = path.lastIndexOf('/')
  const correct = decodeURIComponent(path.slice(0, end)).toLowerCase() + path.slice(end)
  return correct !== path && files.has(correct) ? correct : null
}
