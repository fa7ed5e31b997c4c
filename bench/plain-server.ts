/** The baseline of pages.ts: plain node:http that sends the bytes and headers of a file. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { argv } from 'node:process'

const { headers, body } = JSON.parse(readFileSync(argv[2] ?? '', 'utf8')) as {
  headers: Record<string, string>
  body: string
}
const bytes = Buffer.from(body, 'base64')
const server = createServer((_, response) => {
  response.writeHead(200, headers)
  response.end(bytes)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`port ${typeof address === 'object' ? address?.port : ''}\n`)
})
process.on('SIGTERM', () => process.exit(0))
