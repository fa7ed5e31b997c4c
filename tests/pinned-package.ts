import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { readToEnd } from './child-output.ts'

/** A tool that some tests or benches need, apart from the product's own packages. */
export type PinnedTool = {
  name: string
  /** Exact versions of what we name. */
  packages: Readonly<Record<string, string>>
  /**
   * The day, as YYYY-MM-DD, after which nothing that these packages need may have been published. A published version never
   * changes, so a day pins all of them, as a lock would.
   */
  before: string
}

/**
 * Installs a tool into this user's cache folder, unless it is there. The first call on a machine downloads it; later ones need
 * no network.
 * @returns the folder whose `node_modules` has it. It is named after the pin, so another version is installed beside it
 * @throws with npm's output if it can't be downloaded
 */
export async function installPinned({ name, packages, before }: PinnedTool): Promise<string> {
  const manifest = JSON.stringify({ name: `jubilee-${name}`, private: true, dependencies: packages })
  const hash = createHash('sha256').update(manifest).update(before).digest('hex').slice(0, 16)
  const caches = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'jubilee')
  const folder = join(caches, `${name}-${hash}`)
  if (existsSync(folder)) return folder
  mkdirSync(caches, { recursive: true })
  // Installed aside and renamed, because an interrupted installation would look like a finished one.
  const aside = mkdtempSync(join(caches, 'installing-'))
  try {
    writeFileSync(join(aside, 'package.json'), manifest)
    const npm = spawn(
      'npm',
      ['install', '--ignore-scripts', '--no-audit', '--no-fund', `--before=${before}`],
      { cwd: aside, stdio: ['ignore', 'pipe', 'pipe'] },
    )
    const { code, output } = await readToEnd(npm)
    if (code !== 0) throw new Error(`${name} could not be installed. It needs the network once.\n${output}`)
    await rename(aside, folder).catch((error) => {
      // Another run has just installed it.
      if (!existsSync(folder)) throw error
    })
    return folder
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}
