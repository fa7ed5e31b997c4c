/** Draws the cards of links in its own worker thread, since setting a text in a large script takes a while. */
import { parentPort } from 'node:worker_threads'
import { drawCard } from './drawing.ts'
import type { LinkCard } from './port.ts'

parentPort?.on('message', async (card: LinkCard) => {
  const drawn = await drawCard(card)
  parentPort?.postMessage(new Uint8Array(drawn))
})
