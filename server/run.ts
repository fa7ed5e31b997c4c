import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const STOP_LIMIT_MS = 15_000

/** Starts the built product and stops it cleanly on Ctrl-C and SIGTERM. */
export async function run(): Promise<void> {
  // React looks at it when it is imported: without it, it renders in its development mode, which takes twice as long.
  process.env.NODE_ENV ??= 'production'
  const built = await import(pathToFileURL(join(root, 'build/server/index.js')).href)
  try {
    const config = built.readConfig(process.env)
    const services = await built.createServices(config, { databaseFolder: join(root, 'database') })
    await services.startJobs()
    await (config.demo ? built.fillDemoData(services) : built.closeDemoAccounts(services))
    const app = built.createApp(services, { build: built.pages, clientFolder: join(root, 'build/client') })
    const listening = await built
      .serve(app, { host: config.host, port: config.port })
      .catch(async (error: unknown) => {
        await services.close()
        throw error
      })
    announce(config, built.demoAccounts)

    const stop = async () => {
      if (services.stopping.signal.aborted) return
      services.stopping.abort()
      setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref()
      await listening.stop()
      await services.close()
      process.exit(0)
    }
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
  } catch (error) {
    // These say themselves what to do; anything else is a bug and shows where it happened.
    const known =
      error instanceof Error && ['SettingsError', 'DataFolderInUse', 'PortTaken'].includes(error.name)
    process.stderr.write(`${known ? (error as Error).message : ((error as Error).stack ?? error)}\n`)
    process.exit(1)
  }
}

function announce(
  config: {
    publicUrl: URL
    brand: string
    demo: boolean
    dataFolder: string
    payments: { provider: string }
  },
  accounts: { role: string; email: string; password: string }[],
): void {
  const lines = [`${config.brand} is at ${config.publicUrl.origin}`]
  if (config.payments.provider === 'sandbox') {
    lines.push('Payments are in test mode: pay with card 4242 4242 4242 4242, any future date, any code.')
  }
  if (config.demo) {
    lines.push('Demo accounts:')
    for (const { role, email, password } of accounts)
      lines.push(`  ${role.padEnd(9)} ${email}  password ${password}`)
    lines.push(`Mails are kept at ${config.publicUrl.origin}/outbox. Data is in ${config.dataFolder}.`)
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}
