import { createHash } from 'node:crypto'
import { limitedAddress } from '../../adapters/rate-limits/addresses.ts'
import { keyOfUrl, readUpload } from '../../features/files/commands.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import type { Services } from '../../services.server.ts'
import { limitConcurrency, QueueFull } from '../../shared/concurrency-limit.ts'
import { readIllustration } from '../illustration-file.server.ts'
import { type CardContent, findCardContent } from '../link-card-content.server.ts'
import type { Route } from './+types/link-card'

/** In the tag of a card, so that a new drawing replaces those in caches. */
const DRAWING = 1
/** Cards in memory, of some 80 kB each. A link that is sent around is asked for by many at once. */
const MAX_KEPT = 200
/** A card is drawn in a thread, one after the other. The addresses that wait take turns; the rest come back later. */
const limitDrawings = limitConcurrency(1, 3, 20)
const PICTURE = { width: 960, format: 'jpeg' } as const

const kept = new Map<string, Promise<Uint8Array | null>>()

/**
 * The picture that messengers show of a page's link, at '/cards' and the page's own address. Drawn again once anything on it has
 * changed, which its tag says.
 */
export async function loader({ params, request, context, url }: Route.LoaderArgs) {
  const { config, db, files, linkCards, now, searchLimits } = context.get(servicesContext)
  // Each asks the database as a search does.
  const address = limitedAddress(request)
  const wait = searchLimits.counts.take(address)
  if (wait > 0) return busy(wait)
  const content = await findCardContent({ config, db, now }, params['*'], url.searchParams)
  if (!content) return new Response('There is no such card.', { status: 404 })
  const tag = createHash('sha256')
    .update(JSON.stringify([DRAWING, config.brand, content]))
    .digest('base64url')
    .slice(0, 32)
  const headers = {
    etag: `"${tag}"`,
    // A shared list's address is the key to it: no cache on the way keeps its card once the link has ended.
    'cache-control': content.isPrivate ? 'private, no-cache' : 'public, max-age=300',
    ...(content.isPrivate ? { 'x-robots-tag': 'noindex' } : {}),
    'x-content-type-options': 'nosniff',
  }
  if (request.headers.get('if-none-match')?.includes(tag)) return new Response(null, { status: 304, headers })
  const drawingWait = kept.has(tag) ? 0 : searchLimits.cards.take(address)
  if (drawingWait > 0) return busy(drawingWait)
  try {
    const card = await keep(tag, () =>
      limitDrawings(() => draw({ db, files, linkCards }, config.brand, content), address),
    )
    if (!card) return busy(10)
    return new Response(Buffer.from(card), { headers: { ...headers, 'content-type': 'image/jpeg' } })
  } catch (error) {
    if (error instanceof QueueFull) return busy(10)
    throw error
  }
}

function busy(seconds: number): Response {
  return new Response('Too many cards at once.', {
    status: 429,
    headers: { 'retry-after': String(seconds), 'cache-control': 'no-store' },
  })
}

/** The newest cards, each drawn once for all who ask for it. One that failed is drawn again. */
async function keep(tag: string, make: () => Promise<Uint8Array | null>): Promise<Uint8Array | null> {
  const known = kept.get(tag)
  if (known) return known
  const making = make()
  kept.set(tag, making)
  for (const oldest of kept.keys()) {
    if (kept.size <= MAX_KEPT) break
    kept.delete(oldest)
  }
  const forget = () => void (kept.get(tag) === making && kept.delete(tag))
  making.then((card) => card ?? forget(), forget)
  return making
}

type PictureServices = Pick<Services, 'db' | 'files'>

async function draw(
  { linkCards, ...services }: PictureServices & Pick<Services, 'linkCards'>,
  brand: string,
  { pictures, isPrivate: _, ...content }: CardContent,
): Promise<Uint8Array | null> {
  const read = await Promise.all(pictures.map((picture) => readPicture(services, picture)))
  return linkCards.draw({ ...content, brand, pictures: read.flatMap((file) => (file ? [file.bytes] : [])) })
}

/** A picture of our own, uploaded or drawn, by its address. */
async function readPicture(services: PictureServices, address: string) {
  const key = keyOfUrl(address)
  if (key) return readUpload(services, key, PICTURE)
  const [scene = '', seed = '', ratio] = address.split('/').slice(2)
  return readIllustration(services, { scene, seed, ratio }, PICTURE)
}
