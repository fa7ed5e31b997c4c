import { createServer } from 'node:net'

/**
 * Below the ports that systems give to connections of their own, of which one might take a port between the look and
 * its use.
 */
const FIRST = 20_000
const LAST = 32_000

/** A port that nothing listens on at this moment. */
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
