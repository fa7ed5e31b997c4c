import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'

/** The id, threshold and options of a process after `applyMemorySettings`. */
function started(env: Record<string, string> = {}) {
  const script = `
    const { applyMemorySettings } = await import('./server/memory-settings.ts')
    applyMemorySettings()
    process.stdout.write(JSON.stringify([process.pid, process.env.MALLOC_TRIM_THRESHOLD_, process.execArgv]))`
  const { pid, stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-deprecation', '--input-type=module', '--eval', script],
    { encoding: 'utf8', env: { PATH: process.env.PATH ?? '', ...env } },
  )
  expect(stderr).toBe('')
  const [ownPid, threshold, options] = JSON.parse(stdout) as [number, string | undefined, string[]]
  return {
    keptPid: ownPid === pid,
    threshold,
    options: options.filter((one) => /semi|deprecation/.test(one)),
  }
}

describe.skipIf(process.platform !== 'linux')('a server’s process', () => {
  it('starts itself again with less memory, under the same id and with its own options', () => {
    expect(started()).toEqual({
      keptPid: true,
      threshold: '131072',
      options: ['--max-semi-space-size=8', '--no-deprecation'],
    })
  })

  it('stays as it is if the operator has set the threshold', () => {
    expect(started({ MALLOC_TRIM_THRESHOLD_: '1' })).toEqual({
      keptPid: true,
      threshold: '1',
      options: ['--no-deprecation'],
    })
  })

  it('stays as it is if a process manager talks to it', async () => {
    const script = `
      const { applyMemorySettings } = await import('./server/memory-settings.ts')
      applyMemorySettings()
      process.send('ready')
      process.disconnect()`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      env: { PATH: process.env.PATH ?? '' },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const heard: unknown[] = []
    child.on('message', (message) => heard.push(message))
    await once(child, 'exit')
    expect(heard).toEqual(['ready'])
  })
})
