import { gzipSync } from 'node:zlib'
import type { ServerBuild } from 'react-router'
import { discoveryAddress, firstSegment } from '../app/shared/route-discovery.ts'
import { type Manifest, SECTION_NAMES, sectionOf, slimRoutes } from './browser-manifest.ts'
import { type CachedResponse, cacheResponse } from './cached-response.ts'
import { pathOf } from './route-contracts.ts'

const FOREVER = 'public, max-age=31536000, immutable'

/**
 * Prepares the responses to browsers that discover a section's routes, by the address as they request it.
 * @param headers the headers of every response
 */
export function discoveryResponses(
  build: ServerBuild,
  headers: Record<string, string>,
): Map<string, CachedResponse> {
  const segments = new Map<string, string>()
  for (const id of Object.keys(build.routes)) {
    const section = sectionOf(id, build.routes)
    const path = section === null ? null : pathOf(build, id)
    if (section !== null && path !== null) segments.set(firstSegment(path), section)
  }
  const bodies = new Map(
    SECTION_NAMES.map((name) => [
      name,
      Buffer.from(JSON.stringify(slimRoutes(build.assets as Manifest, (section) => section === name))),
    ]),
  )
  return new Map(
    [...segments].map(([segment, section]) => {
      const body = bodies.get(section) ?? Buffer.from('{}')
      const own = { ...headers, 'content-type': 'application/json', 'cache-control': FOREVER }
      return [
        discoveryAddress(segment, build.assets.version),
        cacheResponse(body, own, { plain: body, gzip: gzipSync(body) }),
      ]
    }),
  )
}

/**
 * Answers a browser that asks for anything else: nothing for a path that belongs to no section, and 204 if the browser has
 * another release, whose pages lead on as documents.
 */
export function answerDiscovery(build: ServerBuild, url: URL): Response {
  if (url.searchParams.get('version') === build.assets.version) return Response.json({})
  return new Response(null, { status: 204, headers: { 'x-remix-reload-document': 'true' } })
}
