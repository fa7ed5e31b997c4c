import { RouterContextProvider } from 'react-router'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBookingWorld } from '../../tests/builders.ts'
import { BROWSER_PAYMENTS_COOKIE } from '../features/payments/rules.ts'
import { JOINED_COOKIE, SHORTLIST_COOKIE } from '../features/shortlists/rules.ts'
import { servicesContext } from '../request-context.server.ts'
import type { Services } from '../services.server.ts'
import { readOwnCookie, SIGNED_IN_COOKIE, signedInCookies } from '../shared/cookies.ts'
import { readSignedList, signedListCookie } from '../shared/signed-cookie.server.ts'
import { browserPaymentsCookie } from './browser-payments.server.ts'
import { readShortlistVisitor, setShortlistCookie } from './shortlist-visitor.server.ts'

const SITE = new URL('https://jubilee.example')
const PLAIN = { maxAgeS: 60, isSecure: false }

let world: Awaited<ReturnType<typeof aBookingWorld>>
let services: Services
beforeAll(async () => {
  world = await aBookingWorld()
  services = {
    ...world.deps,
    config: { secret: world.deps.secret, publicUrl: SITE },
    accounts: { findSession: async () => null },
  } as unknown as Services
})
afterAll(() => world.close())

const pairOf = (cookie: string) => cookie.split(';')[0] ?? ''
const old = async (name: string, value: string) =>
  pairOf(await signedListCookie([value], name, world.deps.secret, PLAIN))

function visit(cookie: string) {
  const context = new RouterContextProvider()
  context.set(servicesContext, services)
  return readShortlistVisitor({ request: new Request(`${SITE}shortlist`, { headers: { cookie } }), context })
}

describe('with https, a cookie', () => {
  it('belongs to this host alone, whether for a shortlist, for payments or for the hint', async () => {
    const headers = new Headers()
    await setShortlistCookie(headers, services, 'own', 'a-list')
    const all = [
      ...headers.getSetCookie(),
      await browserPaymentsCookie([], 'a-payment', services.config),
      signedInCookies('a-mark', SITE)[0] ?? '',
    ]
    expect(all).toHaveLength(4)
    for (const cookie of all) {
      expect(cookie).toMatch(/^__Host-jubilee[._]\w+=.+; Path=\/;/)
      expect(cookie).toContain('; Secure')
      expect(cookie).not.toMatch(/domain/i)
    }
  })

  it.each([
    [SHORTLIST_COOKIE, 'ownId'],
    [JOINED_COOKIE, 'joinedHash'],
  ] as const)('%s is read under its earlier name and moves', async (name, field) => {
    const before = await visit(await old(name, 'a-list'))
    expect(before.visitor[field]).not.toBeNull()
    const sent = before.cookies.getSetCookie()
    const moved = sent.find((cookie) => cookie.startsWith(`__Host-${name}=`)) ?? ''
    expect(sent.find((cookie) => cookie.startsWith(`${name}=`))).toMatch(/^\w+=; Max-Age=0/)
    const after = await visit(pairOf(moved))
    expect(after.visitor[field]).toBe(before.visitor[field])
    expect(after.cookies.getSetCookie()).toEqual([])
  })

  it('under its earlier name doesn’t replace the one of this host, and is removed', async () => {
    const headers = new Headers()
    await setShortlistCookie(headers, services, 'own', 'my-list')
    const own = pairOf(headers.getSetCookie()[0] ?? '')
    const { visitor, cookies } = await visit(`${await old(SHORTLIST_COOKIE, 'planted')}; ${own}`)
    expect(visitor.ownId).toBe('my-list')
    expect(cookies.getSetCookie()).toEqual([expect.stringMatching(/^jubilee_shortlist=; Max-Age=0/)])
  })

  it('with today’s payments is read under its earlier name', async () => {
    const { secret } = world.deps
    const cookie = await old(BROWSER_PAYMENTS_COOKIE, 'a-payment')
    const earlier = await readSignedList(cookie, BROWSER_PAYMENTS_COOKIE, secret)
    const next = pairOf(await browserPaymentsCookie(earlier, 'another', services.config))
    expect(await readSignedList(`${cookie}; ${next}`, BROWSER_PAYMENTS_COOKIE, secret)).toEqual([
      'another',
      'a-payment',
    ])
  })

  it('with the hint keeps its mark, and logging out removes it under both names', () => {
    expect(readOwnCookie(`${SIGNED_IN_COOKIE}=a-mark`, SIGNED_IN_COOKIE)).toBe('a-mark')
    expect(signedInCookies(null, SITE)).toEqual([
      expect.stringMatching(/^__Host-jubilee_signed_in=; Max-Age=0; Path=\//),
      expect.stringMatching(/^jubilee_signed_in=; Max-Age=0; Path=\//),
    ])
  })
})

it('without https the cookies have their plain names', async () => {
  const config = { ...services.config, publicUrl: new URL('http://localhost:3000') }
  const headers = new Headers()
  await setShortlistCookie(headers, { config } as Services, 'own', 'a-list')
  expect(headers.getSetCookie()[0]).toMatch(/^jubilee_shortlist=/)
  expect(signedInCookies('a-mark', config.publicUrl)).toEqual([
    expect.stringMatching(/^jubilee_signed_in=a-mark;/),
  ])
})
