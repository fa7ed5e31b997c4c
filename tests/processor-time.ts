import { readdirSync, readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** The processor time of a test file and of the processes that it started, in ms. Not set where there is no /proc. */
    processorMs?: number
  }
}

/** How long a clock tick of /proc is on every Linux that Node runs on. */
const TICK_MS = 10

/**
 * The processor time of this process and of all that it has started, servers and browsers too, in ms. Waiting costs none, so it is
 * nearly the same on a busy machine.
 * @returns null where there is no /proc
 */
function processorMs(): number | null {
  const children = new Map<number, number[]>()
  const times = new Map<number, number>()
  let names: string[]
  try {
    names = readdirSync('/proc')
  } catch {
    return null
  }
  for (const name of names) {
    const pid = Number(name)
    if (!Number.isInteger(pid)) continue
    let stat: string
    try {
      stat = readFileSync(`/proc/${name}/stat`, 'utf8')
    } catch {
      // It has ended meanwhile, and its parent has its time.
      continue
    }
    // The program's name stands in brackets, and may have spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const parent = Number(fields[1])
    children.set(parent, [...(children.get(parent) ?? []), pid])
    // Own time in both modes, and that of children that have ended.
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0)
    times.set(pid, ticks * TICK_MS)
  }
  let sum = 0
  const open = [process.pid]
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    sum += times.get(pid) ?? 0
    open.push(...(children.get(pid) ?? []))
  }
  return sum
}

// A setup file runs before each test file is loaded.
const before = processorMs()
// Hooks after a file run last to first, so this one sees what the file's own have ended.
// biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures a hook takes
afterAll(({}, { file }) => {
  const after = processorMs()
  if (before !== null && after !== null) file.meta.processorMs = Math.max(0, after - before)
})
