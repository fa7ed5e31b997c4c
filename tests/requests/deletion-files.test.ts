import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../app/shared/ids.ts'
import { Client } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer
let picture: Uint8Array<ArrayBuffer>

beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase, env: { TRUSTED_PROXY: '1' } })
  const image = sharp({ create: { width: 60, height: 40, channels: 3, background: '#2f5d50' } })
  picture = new Uint8Array(await image.png().toBuffer())
})
afterAll(() => server.close())

async function aPerson(): Promise<Client> {
  const person = new Client(server)
  await person.signUp(`${newId()}@example.com`)
  return person
}

function sendPhoto(person: Client): Promise<Response> {
  const photo = new File([picture], 'me.png', { type: 'image/png' })
  return person.post('/my-profile', { intent: 'photo', photo })
}

/** @returns the photo's address */
async function withPhoto(person: Client): Promise<string> {
  expect((await sendPhoto(person)).status).toBe(200)
  return (await person.user())?.avatarUrl ?? ''
}

/** Runs `act` while the file store deletes nothing. */
async function withoutDeleting(act: () => Promise<void>): Promise<void> {
  const { files } = server.services
  const { delete: remove } = files
  files.delete = async () => {
    throw new Error('the file store is away')
  }
  try {
    await act()
  } finally {
    files.delete = remove
  }
}

const isServed = async (url: string) => (await new Client(server).get(url)).status === 200
const isGone = (url: string) =>
  expect
    .poll(
      async () => {
        // A job that failed meanwhile would wait for half a minute.
        await sql`update jobs.job set start_after = now() where state = 'retry'`.execute(server.services.db)
        return isServed(url)
      },
      { timeout: 20_000, interval: 200 },
    )
    .toBe(false)

describe('a file store that deletes nothing at the moment', () => {
  it('doesn’t keep a person from deleting their account, whose photo goes later', async () => {
    const person = await aPerson()
    const url = await withPhoto(person)
    expect(await isServed(url)).toBe(true)
    await withoutDeleting(async () => {
      const answer = await person.post('/confirm-deletion', { intent: 'delete' })
      expect(answer.status).toBe(302)
      expect(answer.headers.get('location')).toBe('/account-closed?how=deleted')
    })
    expect(await person.user()).toBeNull()
    await isGone(url)
  }, 60_000)

  it('doesn’t keep a person from replacing or removing their photo, which goes later', async () => {
    const person = await aPerson()
    const first = await withPhoto(person)
    let second = ''
    await withoutDeleting(async () => {
      second = await withPhoto(person)
    })
    expect(second).not.toBe(first)
    await isGone(first)
    expect(await isServed(second)).toBe(true)
    await withoutDeleting(async () => {
      expect((await person.post('/my-profile', { intent: 'remove-photo' })).status).toBe(200)
    })
    await isGone(second)
  }, 60_000)
})
