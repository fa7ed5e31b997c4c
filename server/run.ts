import cluster from 'node:cluster'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Config } from '../app/config.server.ts'
import { superviseProcesses } from './processes.ts'

type Built = typeof import('./entry.ts')

const root = fileURLToPath(new URL('..', import.meta.url))
/** Extra time after the stop limit, for closing the database. */
const CLOSE_LIMIT_MS = 5_000
// Known errors tell the operator what to do. Any other error is a bug and is printed with its stack.
const KNOWN_ERRORS = ['SettingsError', 'DataFolderInUse', 'PortTaken', 'ProcessDidNotStart']

/** Starts the built product, in one process or several, and stops it cleanly on Ctrl-C and SIGTERM. */
export async function run(): Promise<void> {
  // React reads this on import. Without it React renders in development mode, which takes twice as long.
  process.env.NODE_ENV ??= 'production'
  const built = (await import(pathToFileURL(join(root, 'build/server/index.js')).href)) as Built
  try {
    const config = built.readConfig(process.env)
    if (config.processes === 1 || cluster.isWorker) return await serveUntilStopped(built, config)
    await superviseProcesses({
      count: config.processes,
      file: fileURLToPath(import.meta.url),
      metricsPort: config.metricsPort,
      log: built.createLog(config.logLevel),
    })
    announce(config, built)
  } catch (error) {
    const known = error instanceof Error && KNOWN_ERRORS.includes(error.name)
    process.stderr.write(`${known ? error.message : ((error as Error).stack ?? error)}\n`)
    process.exit(1)
  }
}

async function serveUntilStopped(built: Built, config: Config): Promise<void> {
  const services = await built.createServices(config, { databaseFolder: join(root, 'database') })
  await services.startJobs()
  const isNewDemo = config.demo && (await built.fillDemoData(services))
  if (!config.demo) await built.closeDemoAccounts(services)
  const app = built.createApp(services, { build: built.pages, clientFolder: join(root, 'build/client') })
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
  else announce(config, built)
  if (isNewDemo)
    await built.fillDemoConversations(services).catch((error: unknown) => {
      // Stopped meanwhile, which closes the database.
      if (!services.stopping.signal.aborted) services.log.error({ err: error }, 'demo conversations failed')
    })
}

function announce(config: Config, { demoAccounts, findWarnings }: Built): void {
  const lines = [`${config.brand} is at ${config.publicUrl.origin}`]
  if (config.payments.provider === 'sandbox') {
    lines.push('Payments are in test mode: pay with card 4242 4242 4242 4242, any future date, any code.')
  }
  if (config.demo) {
    lines.push('Demo accounts:')
    for (const { role, email, password } of demoAccounts)
      lines.push(`  ${role.padEnd(9)} ${email}  password ${password}`)
    lines.push(`Time and trouble for tests: ${config.publicUrl.origin}/sandbox`)
    lines.push(`Mails are kept at ${config.publicUrl.origin}/outbox. Data is in ${config.dataFolder}.`)
  }
  process.stdout.write(`${lines.join('\n')}\n`)
  for (const warning of findWarnings(config)) process.stderr.write(`Warning: ${warning}\n`)
}

if (import.meta.main) await run()
