/**
 * `npm run prove`: proves the ledger by its postings, against all tables with money and against the provider, and exits with 1
 * when anything differs (docs/operate.md). Uses the server's settings. The embedded database serves one process, so the
 * server is stopped then.
 */
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ensureBuilt } from './build.ts'
import { failureText } from './failure-text.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

await ensureBuilt()
const built = (await import(
  pathToFileURL(join(root, 'build/server/index.js')).href
)) as typeof import('./entry.ts')

try {
  const config = built.readConfig(process.env)
  const services = await built.createServices(config, { databaseFolder: join(root, 'database') })
  try {
    const { checks, differenceCount, failure } = await built.prove({
      ...built.proofDeps(services),
      tellMoving: (look) => print(`Money is moving, so we look again (${look + 1} of 10).`),
    })
    for (const { name, count, differences } of checks) {
      print(`${count === 0 ? '     none' : String(count).padStart(9)}  ${name.replaceAll('_', ' ')}`)
      for (const { subject, cents, detail } of differences)
        print(`           ${subject}: ${dollars(cents)}${detail ? `, ${detail}` : ''}`)
      if (count > differences.length) print(`           and ${count - differences.length} more`)
    }
    if (services.payouts === null) print('PAYOUTS is off, so the provider’s balance was not compared.')
    if (failure) print(`We couldn’t compare with the provider: ${failure}`)
    else print(differenceCount === 0 ? 'Proved: nothing differs.' : `${differenceCount} differ.`)
    if (differenceCount > 0 || failure) process.exitCode = 1
  } finally {
    await services.close()
  }
} catch (error) {
  process.stderr.write(`${failureText(error)}\n`)
  process.exitCode = 1
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function dollars(cents: number): string {
  return `${cents < 0 ? '-' : ''}$${(Math.abs(cents) / 100).toFixed(2)}`
}
