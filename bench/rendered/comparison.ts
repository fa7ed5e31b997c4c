/**
 * The baselines of rendered.ts, each at a path of one server: 500 plain rows of React, React Router's smallest page, a
 * small page of React alone, and node:http that sends the bytes of a file.
 */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { argv } from 'node:process'
import { getRequestListener } from '@hono/node-server'
import { createElement as element } from 'react'
import { renderToReadableStream, renderToString } from 'react-dom/server'
import { createRequestHandler, Outlet, Scripts, type ServerBuild, ServerRouter } from 'react-router'
import { UNITS_PER_REQUEST } from './units.ts'

const ROWS = 500

const bytes = Buffer.from(readFileSync(argv[2] ?? '', 'utf8'), 'base64')

/** 64 kB without a component, a context or a style. */
const rows = () =>
  element(
    'html',
    null,
    element(
      'body',
      null,
      element(
        'table',
        null,
        element(
          'tbody',
          null,
          Array.from({ length: ROWS }, (_, at) =>
            element(
              'tr',
              { key: at, className: 'row' },
              element('td', null, `Row ${at}`),
              element('td', null, 'A plain text of a few words'),
              element('td', null, `$${at}.00`),
              element('td', null, element('a', { href: `/rows/${at}` }, 'Open')),
            ),
          ),
        ),
      ),
    ),
  )

async function renderUnits(): Promise<string> {
  let html = ''
  for (let count = 0; count < UNITS_PER_REQUEST; count++) {
    const stream = await renderToReadableStream(rows())
    html = await new Response(stream).text()
  }
  return String(html.length)
}

const smallPage = () =>
  element(
    'html',
    { lang: 'en-AU' },
    element('head', null, element('title', null, 'Small')),
    element('body', null, element('h1', null, 'Small'), element('p', null, 'A page of one sentence.')),
  )

/** The smallest application of React Router: a root and a page, neither with data. */
const build: ServerBuild = {
  entry: {
    module: {
      async default(request, status, headers, context) {
        const stream = await renderToReadableStream(element(ServerRouter, { context, url: request.url }))
        headers.set('content-type', 'text/html; charset=utf-8')
        return new Response(stream, { status, headers })
      },
    },
  },
  routes: {
    root: {
      id: 'root',
      path: '',
      module: {
        default: () =>
          element(
            'html',
            { lang: 'en-AU' },
            element('head', null, element('title', null, 'Small')),
            element('body', null, element(Outlet), element(Scripts)),
          ),
      },
    },
    page: {
      id: 'page',
      parentId: 'root',
      index: true,
      module: { default: () => element('main', null, element('h1', null, 'Small')) },
    },
  },
  assets: {
    version: '1',
    url: '/manifest.js',
    entry: { module: '/entry.js', imports: [] },
    routes: Object.fromEntries(
      [
        { id: 'root', path: '' },
        { id: 'page', parentId: 'root', index: true },
      ].map((route) => [
        route.id,
        {
          ...route,
          module: `/${route.id}.js`,
          hasAction: false,
          hasLoader: false,
          hasClientAction: false,
          hasClientLoader: false,
          hasClientMiddleware: false,
          hasErrorBoundary: false,
          imports: [],
          css: [],
          clientActionModule: undefined,
          clientLoaderModule: undefined,
          clientMiddlewareModule: undefined,
          hydrateFallbackModule: undefined,
        },
      ]),
    ),
  },
  publicPath: '/',
  assetsBuildDirectory: '',
  future: {} as ServerBuild['future'],
  ssr: true,
  isSpaMode: false,
  prerender: [],
  routeDiscovery: { mode: 'initial', manifestPath: '/manifest' },
}

const handle = createRequestHandler(build, 'production')
const routed = getRequestListener((request) => handle(request))

const HANDLERS: Record<string, (request: IncomingMessage, response: ServerResponse) => unknown> = {
  '/unit': async (_, response) => response.end(await renderUnits()),
  '/': routed,
  '/react': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(`<!DOCTYPE html>${renderToString(smallPage())}`)
  },
  '/bytes': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(bytes)
  },
}

const server = createServer((request, response) => HANDLERS[request.url ?? '']?.(request, response))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`port ${typeof address === 'object' ? address?.port : ''}\n`)
})
process.on('SIGTERM', () => process.exit(0))
