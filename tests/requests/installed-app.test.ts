import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { APP_ICONS } from '../../app/shared/app-icons.ts'
import { requestsTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'
import { CLIENT_FOLDER } from '../weight.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase, demo: true, env: { BRAND: 'Long Lunch' } })
})
afterAll(() => server.close())

const { get } = requestsTo(() => server)
const fileOf = (icon: string) => sharp(join(CLIENT_FOLDER, 'icons', icon))

describe('the manifest of the installed app', () => {
  it('names the brand of the settings, and may be cached', async () => {
    const answer = await get('/manifest.webmanifest')
    expect(answer.headers.get('content-type')).toContain('application/manifest+json')
    expect(answer.headers.get('cache-control')).toContain('public')
    expect(await answer.json()).toMatchObject({
      name: 'Long Lunch',
      start_url: '/',
      scope: '/',
      display: 'standalone',
    })
  })

  it('names icons that are there, in the sizes that it says', async () => {
    const { icons } = (await (await get('/manifest.webmanifest')).json()) as {
      icons: { src: string; sizes: string; type: string; purpose: string }[]
    }
    for (const { src, sizes, type } of icons) {
      const answer = await get(src)
      expect([src, answer.status]).toEqual([src, 200])
      expect(answer.headers.get('content-type')?.split(';')[0]).toBe(type)
      if (sizes === 'any') continue
      const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
      expect(`${width}x${height}`).toBe(sizes)
    }
    // Chrome requires these icons before it offers to install (web.dev/articles/install-criteria).
    for (const size of ['192x192', '512x512'])
      for (const purpose of ['any', 'maskable'])
        expect(icons).toContainEqual(expect.objectContaining({ sizes: size, purpose, type: 'image/png' }))
  })

  it('leads only to pages that are there', async () => {
    const { shortcuts } = (await (await get('/manifest.webmanifest')).json()) as {
      shortcuts: { url: string }[]
    }
    // A visitor is sent to sign in.
    for (const { url } of shortcuts) expect([url, (await get(url)).status]).toEqual([url, 302])
  })
})

describe('a page', () => {
  it('links to the manifest, and has the colour of the browser’s bars by day and by night', async () => {
    const html = await (await get('/')).text()
    expect(html).toContain('<link rel="manifest" href="/manifest.webmanifest"/>')
    expect(html).toContain('<link rel="apple-touch-icon" href="/icons/apple-touch-icon.png"/>')
    expect((await get('/icons/apple-touch-icon.png')).status).toBe(200)
    for (const [scheme, colour] of [
      ['light', '#fbf7f0'],
      ['dark', '#141b1d'],
    ])
      expect(html).toContain(
        `<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" content="${colour}"/>`,
      )
  })
})

describe('the drawn icons', () => {
  it.each(APP_ICONS.filter(({ kind }) => kind === 'maskable' || kind === 'touch'))(
    '$file is opaque up to its corners',
    async ({ file }) => {
      expect((await fileOf(file).stats()).isOpaque).toBe(true)
    },
  )

  it.each(APP_ICONS.filter(({ kind }) => kind === 'maskable'))(
    '$file has its mark within the circle that no system cuts away',
    async ({ file, sizePx }) => {
      const { data, info } = await fileOf(file).raw().toBuffer({ resolveWithObject: true })
      const at = (x: number, y: number) =>
        [
          ...data.subarray((y * info.width + x) * info.channels, (y * info.width + x) * info.channels + 3),
        ].join()
      const ground = at(0, 0)
      const outside: string[] = []
      for (let y = 0; y < sizePx; y++)
        for (let x = 0; x < sizePx; x++)
          if (Math.hypot(x + 0.5 - sizePx / 2, y + 0.5 - sizePx / 2) > sizePx * 0.4 && at(x, y) !== ground)
            outside.push(`${x},${y}`)
      expect(outside).toEqual([])
    },
  )

  it.each(APP_ICONS.filter(({ kind }) => kind === 'badge'))(
    '$file is white on nothing, as a status bar needs it',
    async ({ file }) => {
      const { data, info } = await fileOf(file).raw().toBuffer({ resolveWithObject: true })
      const colours = new Set<string>()
      for (let at = 0; at < data.length; at += info.channels)
        if (data[at + 3]) colours.add([...data.subarray(at, at + 3)].join())
      expect([...colours]).toEqual(['255,255,255'])
      expect((await fileOf(file).stats()).isOpaque).toBe(false)
    },
  )
})
