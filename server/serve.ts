import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'

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
  fetch: (request: Request, env: never) => Response | Promise<Response>,
  options: { host: string; port: number },
): Promise<{ server: Server; port: number; stop(): Promise<void> }> {
  const server = createServer(getRequestListener(fetch as never))
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
