import { createServer, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { App } from './app.ts'
import { readIncoming } from './cached-response.ts'

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
 * @returns `stop` takes no more connections, lets what runs finish and cuts what is left at the limit
 * @throws PortTaken
 */
export function serve(
  app: App,
  options: { host: string; port: number },
): Promise<{ server: Server; port: number; stop(limitMs: number): Promise<void> }> {
  const listener = getRequestListener(app.fetch)
  const running = new Set<ServerResponse>()
  let stopping = false
  const server = createServer((incoming, outgoing) => {
    if (stopping) outgoing.setHeader('connection', 'close')
    // Without a Request and a Response in between: they cost an eighth of sending a page.
    const ready = app.findReady(readIncoming(incoming))
    if (ready) {
      outgoing.writeHead(ready.status, ready.headers)
      outgoing.end(ready.body)
      return
    }
    // Only of these does `stop` find any whose headers are still to be sent.
    running.add(outgoing)
    outgoing.once('close', () => running.delete(outgoing))
    return listener(incoming, outgoing)
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
        stop: (limitMs) =>
          new Promise((done) => {
            stopping = true
            for (const outgoing of running)
              if (!outgoing.headersSent) outgoing.setHeader('connection', 'close')
            const timer = setTimeout(() => server.closeAllConnections(), limitMs)
            // The HTTP server's own close cuts connections on which nothing runs at this moment, even if the next
            // request is on its way on one. They end by themselves after the time that their last answer named.
            NetServer.prototype.close.call(server, () => {
              clearTimeout(timer)
              server.closeAllConnections()
              done()
            })
          }),
      })
    })
  })
}
