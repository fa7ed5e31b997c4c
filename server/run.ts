import cluster from 'node:cluster'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Config } from '../app/config.server.ts'
import { announcementOf } from './announcement.ts'
import { failureText } from './failure-text.ts'
import { applyMemorySettings } from './memory-settings.ts'
import { createPageSharing } from './page-sharing.ts'
import { superviseProcesses } from './processes.ts'

type Built = typeof import('./entry.ts')
type Settings = typeof import('./settings.ts')

const root = fileURLToPath(new URL('..', import.meta.url))
/** `server/build.ts` writes it: a hash of the sources. */
const buildStamp = join(root, 'build/source-hash')
/** Extra time after the stop limit, for closing the database. */
const CLOSE_LIMIT_MS = 5_000
/** The first page of a new demo comes before its history, which takes every other turn of the database. */
const HISTORY_AFTER_MS = 1_500

/** Starts the built product, in one process or several, and stops it cleanly on Ctrl-C and SIGTERM. */
export async function run(): Promise<void> {
  applyMemorySettings()
  // React reads this on import. Without it React renders in development mode, which takes twice as long.
  process.env.NODE_ENV ??= 'production'
  const settings = (await importBuilt('settings.js')) as Settings
  try {
    const config = settings.readConfig(process.env)
    if (config.processes === 1 || cluster.isWorker) {
      // Read before the build is imported, which a deployment may replace at any time.
      const stamp = cluster.isWorker && existsSync(buildStamp) ? readFileSync(buildStamp, 'utf8') : null
      return await serveUntilStopped((await importBuilt('index.js')) as Built, config, stamp)
    }
    await superviseProcesses({
      count: config.processes,
      file: fileURLToPath(import.meta.url),
      metricsPort: config.metricsPort,
      log: settings.createLog(config.logLevel),
    })
    announce(config, settings, [])
  } catch (error) {
    process.stderr.write(`${failureText(error)}\n`)
    process.exit(1)
  }
}

/** @param stamp the build's, by which several processes know pages of their own version; null for a single process */
async function serveUntilStopped(built: Built, config: Config, stamp: string | null): Promise<void> {
  const services = await built.createServices(config, { databaseFolder: join(root, 'database') })
  // Jobs would act on a booking of the past that isn't answered yet.
  const filled = Promise.withResolvers<boolean>()
  if (config.demo) services.jobs.holdSchedules(filled.promise)
  await services.startJobs()
  if (config.demo) await built.fillDemoData(services, { hasHistory: true })
  if (!config.demo) await built.closeDemoAccounts(services)
  const sharing = stamp ? createPageSharing(stamp) : null
  const app = built.createApp(
    services,
    { build: built.pages, clientFolder: join(root, 'build/client') },
    sharing,
  )
  const listening: Awaited<ReturnType<typeof built.serve>>[] = []
  try {
    if (config.metricsPort)
      listening.push(
        await built.serve(built.onlyObservation(app), { host: config.host, port: config.metricsPort }),
      )
    listening.push(await built.serve(app, { host: config.host, port: config.port }))
  } catch (error) {
    await services.close()
    throw error
  }

  const stop = async () => {
    if (services.stopping.signal.aborted) return
    services.stopping.abort()
    filled.resolve(false)
    setTimeout(() => process.exit(1), config.stopLimitMs + CLOSE_LIMIT_MS).unref()
    await Promise.all([
      ...listening.map((one) => one.stop(config.stopLimitMs)),
      services.jobs.stop(config.stopLimitMs),
    ])
    await services.close()
    process.exit(0)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  if (cluster.isWorker) process.send?.('ready')
  else announce(config, built, built.demoAccounts)
  if (config.demo) {
    await pause(HISTORY_AFTER_MS)
    await built.fillDemoHistory(services).catch((error: unknown) => {
      // Stopped meanwhile, which closes the database.
      if (!services.stopping.signal.aborted) services.log.error({ err: error }, 'the demo’s history failed')
    })
  }
  filled.resolve(true)
}

function importBuilt(file: string): Promise<unknown> {
  return import(pathToFileURL(join(root, 'build/server', file)).href)
}

function announce(
  config: Config,
  { findWarnings }: Settings,
  demoAccounts: Parameters<typeof announcementOf>[1],
): void {
  process.stdout.write(`${announcementOf(config, demoAccounts).join('\n')}\n`)
  for (const warning of findWarnings(config)) process.stderr.write(`Warning: ${warning}\n`)
}

if (import.meta.main) await run()
