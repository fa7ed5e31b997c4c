import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { fetchWithin, WireLimit } from './limits.server.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Starts a server that writes to each connection for as long as it is open. */
async function flood(head: string, more: string): Promise<{ url: string; sockets: Socket[] }> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(head)
      const write = () => {
        while (!socket.destroyed) if (!socket.write(more)) return socket.once('drain', write)
      }
      write()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, sockets }
}

async function serve(answer: RequestListener): Promise<string> {
  const server = createHttpServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const HINT = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'
const OK = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'

describe('a fetch within a limit', () => {
  it('ends a server that sends early hints for ever, after a few of them', async () => {
    const { url } = await flood('', HINT)
    await expect(fetchWithin(10_000_000)(url)).rejects.toThrow(WireLimit)
  })

  it.each([
    ['a body without an end', `${'3e8'}\r\n${'x'.repeat(1000)}\r\n`],
    ['chunks of one byte with long extensions', `1;${'e'.repeat(10_000)}\r\nx\r\n`],
  ])('ends a server that sends %s', async (_, chunk) => {
    const { url } = await flood(OK, chunk)
    const response = await fetchWithin(100_000)(url)
    await expect(response.text()).rejects.toThrow()
  })

  it('passes on the request and the answer', async () => {
    const url = await serve(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      response.writeHead(201, { 'content-type': 'text/plain', 'x-one': 'yes' })
      response.end(`${request.method} ${request.headers['content-type']} ${body}`)
    })
    const response = await fetchWithin(10_000)(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"kim":"müller"}',
    })
    expect(response.status).toBe(201)
    expect(response.headers.get('x-one')).toBe('yes')
    expect(await response.text()).toBe('POST application/json {"kim":"müller"}')
    expect(await (await fetchWithin(10_000)(url)).text()).toBe('GET undefined ')
  })

  it('counts each request of a connection that is used again by itself', async () => {
    const url = await serve((_, response) => response.end('x'.repeat(700)))
    const get = fetchWithin(2000)
    for (let count = 0; count < 5; count++) expect((await (await get(url)).text()).length).toBe(700)
  })

  it('returns an answer without a body, and follows no redirect', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/gone') response.writeHead(204).end()
      else response.writeHead(302, { location: '/gone' }).end()
    })
    expect((await fetchWithin(10_000)(`${url}gone`)).status).toBe(204)
    expect((await fetchWithin(10_000)(url)).status).toBe(302)
    await expect(fetchWithin(10_000)(url, { redirect: 'error' })).rejects.toThrow('302')
  })

  it('ends with its signal', async () => {
    const url = await serve(() => {})
    await expect(fetchWithin(10_000)(url, { signal: AbortSignal.timeout(20) })).rejects.toThrow()
  })
})
