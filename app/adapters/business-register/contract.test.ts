import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fetchWithin } from '../wire/limits.server.ts'
import { createAbrRegister } from './abr.server.ts'
import type { BusinessRegister, RegisterEntry } from './port.ts'
import { createSandboxRegister } from './sandbox.server.ts'

const ABN = '51824753556'
const GUID = '00000000-0000-4000-8000-000000000000'

/** An answer with the service's fields. */
const FIELDS = {
  Abn: ABN,
  AbnStatus: 'Active',
  AbnStatusEffectiveFrom: '1999-11-01',
  Acn: '',
  AddressDate: '2024-02-13',
  AddressPostcode: '2640',
  AddressState: 'NSW',
  BusinessName: ['Tax & Co', ''],
  EntityName: 'AUSTRALIAN TAXATION OFFICE',
  EntityTypeCode: 'CGE',
  EntityTypeName: 'Commonwealth Government Entity',
  Gst: '2000-07-01',
  Message: '',
}
/** As the service refuses and answers for an ABN that nobody has: with status 200. */
const EMPTY = Object.fromEntries(
  Object.entries(FIELDS).map(([name, value]) => [
    name,
    Array.isArray(value) ? [] : name === 'Gst' ? null : '',
  ]),
)
const ENTRY: RegisterEntry = {
  status: 'active',
  statusSince: '1999-11-01',
  entityName: 'AUSTRALIAN TAXATION OFFICE',
  entityType: 'Commonwealth Government Entity',
  businessNames: ['Tax & Co'],
  gstSince: '2000-07-01',
  state: 'NSW',
}
const jsonp = (fields: object) => `callback(${JSON.stringify(fields)})`

let address: string
let asked: string[] = []
let answer: (response: ServerResponse) => void

const server = createServer((request, response) => {
  asked.push(request.url ?? '')
  answer(response)
})

beforeAll(async () => {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/json/AbnDetails.aspx`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  asked = []
  answers(FIELDS)
})

function answers(fields: object): void {
  answer = (response) => response.setHeader('content-type', 'text/javascript').end(jsonp(fields))
}

const abr = (options: { address?: string; timeLimitMs?: number } = {}) =>
  createAbrRegister({
    guid: GUID,
    userAgent: 'Jubilee',
    fetchAnswer: fetchWithin(2_000_000),
    address,
    ...options,
  })

describe('the Australian Business Register', () => {
  it('answers with the entry of an ABN, asked by its number and our GUID', async () => {
    expect(await abr().find(ABN)).toEqual({ ok: true, entry: ENTRY })
    expect(asked).toEqual([`/json/AbnDetails.aspx?abn=${ABN}&guid=${GUID}&callback=callback`])
  })

  it.each([null, '', '0001-01-01'])('has no GST where its date is %j', async (Gst) => {
    answers({ ...FIELDS, Gst, AbnStatusEffectiveFrom: '0001-01-01' })
    expect(await abr().find(ABN)).toEqual({
      ok: true,
      entry: { ...ENTRY, gstSince: null, statusSince: null },
    })
  })

  it.each([
    ['another ABN', { ...FIELDS, Abn: '53004085616' }],
    ['an unknown GUID', { ...EMPTY, Message: 'The GUID entered is not recognised as a Registered Party' }],
    ['an ABN that it finds wrong', { ...EMPTY, Message: 'Search text is not a valid ABN or ACN' }],
    ['a message beside the entry', { ...FIELDS, Message: 'No record found' }],
    ['no ABN and no message', EMPTY],
    ['another status', { ...FIELDS, AbnStatus: 'Suspended' }],
    ['a status without a name', { ...FIELDS, EntityName: undefined }],
    ['a date that isn’t one', { ...FIELDS, Gst: '2000-13-41' }],
    ['a name that is too long', { ...FIELDS, EntityName: 'X'.repeat(501) }],
  ])('hasn’t answered with %s', async (_what, fields) => {
    answers(fields)
    expect(await abr().find(ABN)).toMatchObject({ ok: false })
  })

  it.each<[string, typeof answer]>([
    ['an error', (response) => response.writeHead(500).end(jsonp(FIELDS))],
    ['a redirect', (response) => response.writeHead(302, { location: '/elsewhere' }).end(jsonp(FIELDS))],
    ['a page', (response) => response.end('<html>Down for maintenance</html>')],
    ['another function', (response) => response.end(`evil(${JSON.stringify(FIELDS)})`)],
    ['half an answer', (response) => response.end(jsonp(FIELDS).slice(0, 90))],
    ['half an answer that looks whole', (response) => response.end(`${jsonp(FIELDS).slice(0, 90)})`)],
    ['nothing', (response) => response.end()],
    ['a number', (response) => response.end('callback(1)')],
    ['an endless answer', (response) => response.end(jsonp({ ...FIELDS, More: 'X'.repeat(300_000) }))],
    ['a broken connection', (response) => response.destroy()],
  ])('hasn’t answered with %s', async (_what, how) => {
    answer = how
    const finding = await abr().find(ABN)
    expect(finding).toMatchObject({ ok: false })
    expect(JSON.stringify(finding)).not.toContain(GUID)
    expect(asked).toHaveLength(1)
  })

  it('hasn’t answered while it is silent, stops in the middle, or nothing listens there', async () => {
    answer = () => {}
    expect(await abr({ timeLimitMs: 50 }).find(ABN)).toMatchObject({ ok: false })
    answer = (response) => void response.write('callback({')
    expect(await abr({ timeLimitMs: 50 }).find(ABN)).toMatchObject({ ok: false })
    expect(await abr({ address: 'http://127.0.0.1:9/json' }).find(ABN)).toMatchObject({ ok: false })
  })
})

/** Both adapters, each told to have an ABN in this way. */
const ADAPTERS: Record<string, (state: 'active' | 'cancelled' | 'unknown' | 'outage') => BusinessRegister> = {
  abr: (state) => {
    if (state === 'outage') answer = (response) => response.writeHead(503).end()
    else if (state === 'unknown') answers({ ...EMPTY, Message: 'No record found' })
    else answers({ ...FIELDS, AbnStatus: state === 'active' ? 'Active' : 'Cancelled' })
    return abr()
  },
  sandbox: (state) => {
    const row = state === 'active' || state === 'cancelled' ? { ...ENTRY, status: state } : state
    return createSandboxRegister(new Map([[ABN, row]]))
  },
}

describe.each(Object.entries(ADAPTERS))('the register by %s', (_name, having) => {
  it('knows an active ABN and a cancelled one', async () => {
    expect(await having('active').find(ABN)).toEqual({ ok: true, entry: ENTRY })
    expect(await having('cancelled').find(ABN)).toEqual({
      ok: true,
      entry: { ...ENTRY, status: 'cancelled' },
    })
  })

  it('doesn’t know an ABN that nobody has', async () => {
    expect(await having('unknown').find(ABN)).toEqual({ ok: true, entry: null })
  })

  it('says that it is away, never that an ABN is fine', async () => {
    expect(await having('outage').find(ABN)).toMatchObject({ ok: false })
  })
})

it('the sandbox’s register has an ABN without a row active, registered for GST and without a name', async () => {
  expect(await createSandboxRegister().find(ABN)).toMatchObject({
    entry: { status: 'active', entityName: '', gstSince: '2000-07-01' },
  })
  expect(await createSandboxRegister().find('28999999902')).toEqual({ ok: true, entry: null })
})
