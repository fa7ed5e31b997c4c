/**
 * `npm run dev`: the product with hot reload. Pages, styles and loaders reload automatically. A change to services,
 * jobs or this folder needs a restart.
 */
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getRequestListener } from '@hono/node-server'
import { createServer as createViteServer } from 'vite'
import { announcementOf } from './announcement.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const vite = await createViteServer({ root, server: { middlewareMode: true } })
const entry = (await vite.ssrLoadModule('/server/entry.ts')) as typeof import('./entry.ts')

const config = entry.readConfig(process.env)
const services = await entry.createServices(config, { databaseFolder: join(root, 'database') })
const filled = Promise.withResolvers<boolean>()
services.jobs.holdSchedules(filled.promise)
await services.startJobs()
if (config.demo) {
  await entry.fillDemoData(services, { hasHistory: true })
  await entry.fillDemoHistory(services)
}
filled.resolve(true)
const app = entry.createApp(services, {
  build: () => vite.ssrLoadModule('virtual:react-router/server-build') as never,
  clientFolder: null,
  development: true,
})
const listener = getRequestListener(app.fetch)
const server = createServer((incoming, outgoing) =>
  vite.middlewares(incoming, outgoing, () => listener(incoming, outgoing)),
)
server.listen(config.port, config.host, () => {
  const [, ...others] = announcementOf(config, entry.demoAccounts)
  process.stdout.write(
    `${[`${config.brand} (development) is at ${config.publicUrl.origin}`, ...others].join('\n')}\n`,
  )
})

async function stop() {
  server.close()
  server.closeAllConnections()
  await services.close()
  await vite.close()
  process.exit(0)
}
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
