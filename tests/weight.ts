import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

export const CLIENT_FOLDER = 'build/client'

/** The compressed sizes of build files, in bytes. */
export type Weight = { files: number; gzip: number; brotli: number }

/**
 * Weighs the files that a document needs before it works: its scripts with their static imports, and its styles. The
 * links at its end never lead to scripts.
 */
export function weighPage(html: string): { scripts: Weight; styles: Weight } {
  const styles = [...html.matchAll(/href="(\/assets\/[\w.-]+\.css)"/g)].map(([, address]) => address ?? '')
  return { scripts: weigh(scriptsOf(html)), styles: weigh(new Set(styles)) }
}

export const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`

function weigh(addresses: Iterable<string>): Weight {
  const weight = { files: 0, gzip: 0, brotli: 0 }
  for (const address of addresses) {
    const bytes = readFileSync(join(CLIENT_FOLDER, address))
    weight.files += 1
    weight.gzip += gzipSync(bytes, { level: 9 }).length
    weight.brotli += brotliCompressSync(bytes).length
  }
  return weight
}

function scriptsOf(html: string): Set<string> {
  const found = new Set<string>()
  const add = (address: string) => {
    if (found.has(address)) return
    found.add(address)
    const code = readFileSync(join(CLIENT_FOLDER, address), 'utf8')
    for (const [, name] of code.matchAll(/(?:from|^import|[;}]import)\s*["']\.\/([\w.-]+\.js)["']/g))
      add(`/assets/${name}`)
  }
  for (const [, address] of html.matchAll(/["'](\/assets\/[\w.-]+\.js)["']/g)) if (address) add(address)
  return found
}
