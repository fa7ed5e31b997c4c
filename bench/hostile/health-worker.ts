/**
 * Asks for /health/live every 20 ms, each time on a connection of its own, and answers each message with the longest wait
 * since the one before, in ms. A thread of its own, because the attacks keep the main thread busy.
 */
import { get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const ASK_EVERY_MS = 20
let longestMs = 0
let askedAt: number | null = null

parentPort?.on('message', () => {
  // A request that still waits counts too.
  const waitingMs = askedAt === null ? 0 : performance.now() - askedAt
  parentPort?.postMessage(Math.max(longestMs, waitingMs))
  longestMs = 0
})

for (;;) {
  askedAt = performance.now()
  await new Promise<void>((resolve) => {
    get(`${workerData}/health/live`, { agent: false }, (answer) => {
      answer.resume()
      answer.on('end', resolve)
    }).on('error', () => resolve())
  })
  longestMs = Math.max(longestMs, performance.now() - askedAt)
  askedAt = null
  await pause(ASK_EVERY_MS)
}
