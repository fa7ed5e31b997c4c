import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { DISCARD_PAUSE_MS, LINGER_MS } from '../app/shared/body-limits.ts'
import type { App } from './app-contract.ts'
import { readIncoming } from './cached-response.ts'

/** The port is in use by another program. */
export class PortTaken extends Error {
  constructor(port: number) {
    super(`Port ${port} is in use by another program. Stop it, or choose another port: PORT=3001 npm start`)
    this.name = 'PortTaken'
  }
}

/**
 * Listens on a port, and resolves once it accepts connections.
 * @param options.port 0 picks a free port
 * @returns `stop`, which accepts no more connections, lets running requests finish and cuts off the rest at the limit
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
    if (hasBody(incoming)) closeUnlessRead(incoming, outgoing, () => stopping)
    // Skip the Request and Response objects, which cost an eighth of sending a page.
    const ready = app.findReady(readIncoming(incoming))
    if (ready) {
      outgoing.writeHead(ready.status, ready.headers)
      outgoing.end(ready.body)
      return
    }
    // Only these responses can still be waiting to send their headers when `stop` is called.
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
            // The HTTP server's own close cuts off idle connections, even if their next request is already on its
            // way. Idle connections end by themselves after the keep-alive time that their last response named.
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

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/**
 * Ends the connection after a response to a body that nobody has read to its end. Its rest would be taken for the next
 * request, and a proxy that keeps the connection has to learn that it can't use it again.
 */
function closeUnlessRead(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  isStopping: () => boolean,
): void {
  const { socket } = incoming
  outgoing.setHeader('connection', 'close')
  // Node calls this after the last response. It would close the socket with bytes unread, and the reset that the system
  // then sends may overtake the response.
  socket.destroySoon = () => {
    if (socket.writableEnded) return
    socket.end()
    incoming.removeAllListeners('data')
    // Slowly, so that many senders at once don't keep the process busy.
    incoming.on('data', () => {
      incoming.pause()
      setTimeout(() => incoming.resume(), DISCARD_PAUSE_MS)
    })
    incoming.resume()
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(timer))
  }
  incoming.once('end', () => {
    // The prototype's own again.
    Reflect.deleteProperty(socket, 'destroySoon')
    if (!outgoing.headersSent && !isStopping()) outgoing.removeHeader('connection')
  })
}
