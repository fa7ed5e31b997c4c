import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { App } from './app.ts'
import { readIncoming } from './kept-answer.ts'

/** The port is taken by another program. */
export class PortTaken extends Error {
  constructor(port: number) {
    super(`Port ${port} is taken by another program. Stop it, or choose another port: PORT=3001 npm start`)
    this.name = 'PortTaken'
  }
}

/**
 * Listens, and resolves once connections are taken.
 * @param port 0 picks a free one
 * @throws PortTaken
 */
export function serve(
  app: App,
  options: { host: string; port: number },
): Promise<{ server: Server; port: number; stop(): Promise<void> }> {
  const listener = getRequestListener(app.fetch)
  const server = createServer((incoming, outgoing) => {
    // Without a Request and a Response in between: they cost an eighth of sending a page.
    const ready = app.findReady(readIncoming(incoming))
    if (!ready) return listener(incoming, outgoing)
    outgoing.writeHead(ready.status, ready.headers)
    outgoing.end(ready.body)
  })
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new PortTaken(options.port) : error),
    )
    server.listen(options.port, options.host, () => {
      const address = server.address()
      resolve({
        server,
        port: typeof address === 'object' && address ? address.port : options.port,
        stop: () =>
          new Promise((done) => {
            server.close(() => done())
            // Open streams would keep the server up; browsers come back by themselves.
            server.closeAllConnections()
          }),
      })
    })
  })
}
