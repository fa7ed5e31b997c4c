import { spawn } from 'node:child_process'

/**
 * Ends the group of processes that a detached child leads, at the latest when this process ends, however it does: a shell
 * waits for the end of its input, which comes even if this process is killed.
 * @returns ends them now
 */
export function endWithUs(leader: number): () => void {
  const guard = spawn('/bin/sh', ['-c', `read _; kill -9 -${leader} 2>/dev/null`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  guard.unref()
  return () => void guard.stdin.end()
}
