/**
 * V8's young generation, by which the heap of each thread grows between two collections: 3 × 8 MB instead of 3 × 16. See 'Memory' in
 * docs/performance.md.
 */
export const MEMORY_FLAGS = ['--max-semi-space-size=8']

/** A fixed threshold, in bytes. Otherwise glibc raises it with each large block that is freed, and keeps up to 64 MB of every arena. */
const TRIM_THRESHOLD = '131072'

/**
 * Replaces this process by one with settings that Node and glibc only read as they start. It keeps its id, its files and its
 * arguments. An operator who sets MALLOC_TRIM_THRESHOLD_ keeps the process as it is. So does a process manager that talks to it, since
 * that channel would be lost.
 */
export function applyMemorySettings(): void {
  if (process.platform !== 'linux' || process.env.MALLOC_TRIM_THRESHOLD_) return
  if (process.send || !process.execve) return
  process.execve(
    process.execPath,
    [process.execPath, ...MEMORY_FLAGS, ...process.execArgv, ...process.argv.slice(1)],
    {
      ...process.env,
      MALLOC_TRIM_THRESHOLD_: TRIM_THRESHOLD,
    },
  )
}
