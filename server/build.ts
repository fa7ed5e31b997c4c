import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { makeAppIcons } from './app-icons.ts'
import { slimManifest } from './browser-manifest.ts'
import { makeLegalPdfs } from './legal-pdfs.ts'

const compressGzip = promisify(gzip)
const compressBrotli = promisify(brotliCompress)

const root = fileURLToPath(new URL('..', import.meta.url))
// The PDFs contain the brand, so each brand needs its own build.
const brand = process.env.BRAND || 'Jubilee'
const stamp = join(root, 'build', 'source-hash')
const sources = [
  'app',
  'server',
  'legal',
  'database',
  'content',
  'public',
  'vite.config.ts',
  'react-router.config.ts',
  'package-lock.json',
]
const assets = join(root, 'build/client/assets')
/** The last build's own assets, without those kept from the build before. */
const assetList = join(root, 'build/assets.json')
const compressible = /\.(m?js|css|svg|json|txt|html|webmanifest)$/

/**
 * Builds the browser and server files, unless a build of exactly these sources exists. Without sources, as in an image,
 * the existing build is used.
 */
export async function ensureBuilt(): Promise<void> {
  if (!existsSync(join(root, 'app')) && existsSync(stamp)) return
  const hash = hashOf(sources)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  process.stdout.write('Building Jubilee (only when its sources changed)…\n')
  const previous = setAssetsAside()
  const result = spawnSync(
    process.execPath,
    [join(root, 'node_modules/@react-router/dev/bin.cjs'), 'build'],
    {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, NODE_ENV: 'production' },
    },
  )
  if (result.status !== 0) {
    putAssetsBack(previous)
    process.stderr.write(`${result.stdout}\n${result.stderr}\nThe build failed.\n`)
    process.exit(1)
  }
  await makeLegalPdfs(join(root, 'legal'), join(root, 'build/client/legal'), brand)
  await makeAppIcons(join(root, 'public/favicon.svg'), join(root, 'build/client/icons'))
  for (const name of readdirSync(assets).filter((file) => /^manifest-.*\.js$/.test(file)))
    writeFileSync(join(assets, name), slimManifest(readFileSync(join(assets, name), 'utf8')))
  await compressFiles(join(root, 'build/client'))
  writeFileSync(assetList, JSON.stringify(readdirSync(assets)))
  putAssetsBack(previous)
  writeFileSync(stamp, hash)
}

/**
 * Keeps the previous build's assets through this build, because pages that were opened before a deployment still
 * request them. Older assets are dropped.
 * @returns the temporary folder with the assets, or null without an earlier build
 */
function setAssetsAside(): string | null {
  if (!existsSync(assetList) || !existsSync(assets)) return null
  // Outside build/, which the bundler empties.
  const aside = mkdtempSync(join(tmpdir(), 'previous-assets-'))
  for (const name of JSON.parse(readFileSync(assetList, 'utf8')) as string[]) {
    if (existsSync(join(assets, name))) copyFileSync(join(assets, name), join(aside, name))
  }
  return aside
}

/** Restores the previous assets. Names contain a hash of the content, so a file with the same name is the same file. */
function putAssetsBack(aside: string | null): void {
  if (!aside) return
  mkdirSync(assets, { recursive: true })
  for (const name of readdirSync(aside)) {
    if (!existsSync(join(assets, name))) copyFileSync(join(aside, name), join(assets, name))
  }
  rmSync(aside, { recursive: true, force: true })
}

function hashOf(paths: string[]): string {
  const hash = createHash('sha256').update(brand)
  for (const path of paths) {
    const full = join(root, path)
    if (!existsSync(full)) continue
    const files = path.includes('.') ? [full] : listFiles(full)
    for (const file of files.sort())
      if (!file.endsWith('.test.ts')) hash.update(file.slice(root.length)).update(readFileSync(file))
  }
  return hash.digest('hex')
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Compresses files that never change once, at the best level, instead of on each request. Every core takes part. */
async function compressFiles(folder: string): Promise<void> {
  await Promise.all(
    listFiles(folder)
      .filter((file) => compressible.test(file))
      .map(async (file) => {
        const bytes = await readFile(file)
        const [gzipped, brotlied] = await Promise.all([
          compressGzip(bytes, { level: 9 }),
          compressBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
        ])
        await Promise.all([writeFile(`${file}.gz`, gzipped), writeFile(`${file}.br`, brotlied)])
      }),
  )
}

if (import.meta.main) await ensureBuilt()
