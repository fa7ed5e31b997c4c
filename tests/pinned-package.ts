import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { readToEnd } from './child-output.ts'

/**
 * Installs a tool that only some runs need, apart from the product's own packages, into this user's cache folder, unless
 * it is there. The first call on a machine downloads it; later ones need no network.
 * @param pinned the folder of the tool's package.json and of its lock, which pins every package by version and hash
 * @returns the folder whose `node_modules` has it. It is named after the lock, so another version is installed beside it
 * @throws with npm's output if it can't be downloaded
 */
export async function installPinned(pinned: string): Promise<string> {
  const lock = readFileSync(join(pinned, 'package-lock.json'))
  const hash = createHash('sha256').update(lock).digest('hex').slice(0, 16)
  const caches = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'jubilee')
  const folder = join(caches, `${basename(pinned)}-${hash}`)
  if (existsSync(folder)) return folder
  mkdirSync(caches, { recursive: true })
  // Installed aside and renamed, because an interrupted installation would look like a finished one.
  const aside = mkdtempSync(join(caches, 'installing-'))
  try {
    for (const name of ['package.json', 'package-lock.json'])
      copyFileSync(join(pinned, name), join(aside, name))
    const npm = spawn('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: aside,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const { code, output } = await readToEnd(npm)
    if (code !== 0)
      throw new Error(`${basename(pinned)} could not be installed. It needs the network once.\n${output}`)
    await rename(aside, folder).catch((error) => {
      // Another run has just installed it.
      if (!existsSync(folder)) throw error
    })
    return folder
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}
