import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServerBuild } from 'react-router'
import type { Passwords } from '../app/adapters/accounts/passwords.server.ts'
import type { Config } from '../app/config.server.ts'
import type { Services } from '../app/services.server.ts'
import { printedAddress } from '../app/shared/printed-key.ts'
import type { KeptParts } from '../app/shell/rendered-parts.ts'
import type { App } from '../server/app-contract.ts'
import { cheapPasswords } from './cheap-passwords.ts'
import type { DatabaseContent, TestConnection } from './database.ts'
import { freePort } from './free-port.ts'
import { forbiddenReads } from './part-guard.ts'
import { prepareDatabase } from './server-process.ts'

/** The built server, so that tests run the deployed code. `npm test` builds it first. */
const built = (await import('../build/server/index.js' as string)) as typeof import('../server/entry.ts')

export type TestServer = {
  services: Services
  origin: string
  /** Responds to a request without a network, as the listening server would. */
  fetch(request: Request): Promise<Response>
  /** The same at the metrics port. */
  fetchObservation(request: Request): Promise<Response>
  /** The address of /outbox or /sandbox as the start prints it, with its key. */
  printed(path: string): string
  /** The printed key as programs send it. */
  keyHeader: { authorization: string }
  close(): Promise<void>
}

/** The path prefixes that robots.txt disallows. */
export const unlistedPaths = built.unlistedPaths(built.pages)

/** The parts of documents that this process has kept. */
export const keptParts = (built.pages.entry.module as unknown as { renderedParts: KeptParts }).renderedParts
  .kept

/** The build's routes, each with its contract and whether it has a page, a loader and an action. */
export const builtRoutes = built.listRoutes(built.pages).map(({ id, path, contract }) => {
  const module = built.pages.routes[id]?.module
  const isPage = module?.default !== undefined
  return {
    id,
    path,
    /** Where its forms are posted: without the parameter, an index route's layout would get them. */
    formPath: built.pages.routes[id]?.index ? `${path}?index` : path,
    ...contract,
    isPage,
    hasLoader: isPage || module?.loader !== undefined,
    hasAction: module?.action !== undefined,
  }
})

/** A pattern of the address of a route's own script, whose name is a hash. */
export function scriptOf(routeId: string): string {
  const route = built.pages.assets.routes[routeId]
  if (!route) throw new Error(`There is no route ${routeId}.`)
  return `**${route.module}`
}

/**
 * Starts the product in this process.
 * @param options.openDatabase opens a database, which may already contain the server's initial data. Without
 *   it, `env` chooses the database. An embedded one in a folder already has the demo
 * @param options.listen whether the server also accepts connections at `origin`, as browsers need
 * @param options.demo whether to fill in the demo data, unless the database has it
 * @param options.passwords the password hashing, cheap by default
 * @param options.changeConfig changes what no environment can, such as the time limits of a file store
 * @param options.changePages changes the built pages, to test cases that the product's pages never cause
 * @param options.changeApp changes what the server sends
 * @param options.drawnPictures a folder for the demo's pictures, which may contain drawn ones already
 */
export async function startServer(options: {
  openDatabase?: (content: DatabaseContent) => Promise<TestConnection>
  env?: Record<string, string>
  listen?: boolean
  demo?: boolean | 'with its past'
  drawnPictures?: string
  now?: () => Date
  passwords?: Passwords
  changeConfig?: (config: Config) => Config
  changePages?: (pages: ServerBuild) => ServerBuild
  changeApp?: (app: App) => App
}): Promise<TestServer> {
  const { openDatabase } = options
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-data-'))
  if (options.drawnPictures) {
    mkdirSync(join(folder, 'files'))
    symlinkSync(options.drawnPictures, join(folder, 'files/illustrations'))
  }
  if (!openDatabase && !options.env?.DATABASE_URL) await prepareDatabase(folder)
  // A lane's server is never closed, so its folder is removed when the process exits.
  const tidy = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', tidy)
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const { changeConfig = (config) => config } = options
  const config = changeConfig(
    built.readConfig({
      PORT: String(port),
      PUBLIC_URL: origin,
      DATA_DIR: folder,
      LOG_LEVEL: 'error',
      // Tests of payouts turn them on.
      PAYOUTS: 'off',
      ...options.env,
    }),
  )
  const services = await built.createServices(config, {
    databaseFolder: 'database',
    passwords: options.passwords ?? cheapPasswords,
    ...(openDatabase ? { openDatabase: () => openDatabase(isUsualDemo(options) ? 'demo' : 'started') } : {}),
    ...(options.now ? { now: options.now } : {}),
  })
  await services.startJobs()
  if (options.demo) await built.fillDemoData(services, { hasHistory: options.demo === 'with its past' })
  if (options.demo === 'with its past') await built.fillDemoHistory(services)
  const product = built.createApp(services, {
    build: options.changePages?.(built.pages) ?? built.pages,
    clientFolder: 'build/client',
  })
  const app = options.changeApp?.(product) ?? product
  const listening = options.listen ? await built.serve(app, { host: 'localhost', port }) : null
  return {
    services,
    origin,
    fetch: async (request) => app.fetch(request),
    fetchObservation: async (request) => built.onlyObservation(app).fetch(request),
    printed: (path) => printedAddress(path, config),
    keyHeader: { authorization: `Bearer ${config.printedKey}` },
    async close() {
      // The test is over, so a browser's open connections are not waited for.
      await listening?.stop(0)
      await services.close()
      process.off('exit', tidy)
      tidy()
      if (forbiddenReads.length > 0)
        throw new Error(`A part that documents share read what it must not: ${forbiddenReads.join('\n')}`)
    },
  }
}

/** Whether the cached demo database fits: these settings and the clock change the demo's data. */
function isUsualDemo({ demo, env = {}, now }: Parameters<typeof startServer>[0]): boolean {
  return demo === true && !now && !Object.keys(env).some((name) => /^(ACCOUNTS|BRAND|PASSWORD_)/.test(name))
}
