import { createServer } from 'node:net'

/**
 * Below the ephemeral ports, which the system assigns to outgoing connections. One of those might take a port between
 * the check and its use.
 */
const FIRST = 20_000
const LAST = 32_000

/** Returns a port that is free at this moment. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST))
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    )
    server.listen(port, () => server.close(() => resolve(true)))
  })
}
