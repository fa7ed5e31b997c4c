import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  aClock,
  anUnavailableStore,
  aUser,
  createKeptJobs,
  deleteQueuedUploads,
  registrationDepsOf,
} from '../../../tests/builders.ts'
import { openTestDatabase } from '../../../tests/database.ts'
import { leavesAsIs } from '../../../tests/leaves-as-is.ts'
import { createDiskFileStore } from '../../adapters/file-store/disk.server.ts'
import type { FileStore } from '../../adapters/file-store/port.ts'
import { createRateLimits } from '../../adapters/rate-limits/database.server.ts'
import { keepUpload } from '../files/commands.server.ts'
import { changeRegistration, registerBusiness } from './commands.server.ts'
import {
  findAvatar,
  findOwnRegistration,
  findVersionedRegistration,
  isRegistered,
  listSharedAbns,
} from './queries.server.ts'
import type { RegistrationDeps } from './register-commands.server.ts'
import type { Registration } from './schema.ts'

let connection: Awaited<ReturnType<typeof openTestDatabase>>
let jobs: Awaited<ReturnType<typeof createKeptJobs>>
let deps: RegistrationDeps & { files: FileStore; jobs: typeof jobs }
let clock: ReturnType<typeof aClock>
let userId: string
const folder = mkdtempSync(join(tmpdir(), 'jubilee-registrations-'))

beforeAll(async () => {
  connection = await openTestDatabase()
  jobs = await createKeptJobs(connection.db)
})
afterAll(async () => {
  await connection.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  clock = aClock()
  deps = {
    ...registrationDepsOf({ db: connection.db, jobs, now: clock.now }),
    files: createDiskFileStore(folder),
  }
  userId = (await aUser(connection.db)).id
})

function aRegistration(overrides: Partial<Registration> = {}): Registration {
  return {
    businessName: 'Nia & Co',
    abn: '51824753556',
    acn: '',
    businessStructure: 'Sole Trader',
    industryType: 'Florist',
    gstRegistered: true,
    principalAddress: '1 Sample Street, Geelong VIC',
    postalAddress: '',
    businessPhone: '(03) 5550 1234',
    businessEmail: 'shop@example.com',
    website: 'https://example.com',
    ownerName: 'Nia',
    ownerDob: '1990-02-03',
    ownerPhone: '0400 000 000',
    ownerEmail: 'nia@example.com',
    logoUrl: '',
    businessDescription: 'Flowers.',
    ...overrides,
  }
}

async function aLogo(owner = userId) {
  const bytes = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()
  const sent = await keepUpload({ ...deps, rateLimits: createRateLimits(connection.db, clock.now) }, owner, {
    kind: 'logo',
    fileName: 'logo.png',
    businessName: '',
    index: 0,
    bytes,
  })
  if (!sent.ok) throw new Error(sent.reason)
  return sent
}

describe('registerBusiness', () => {
  it('stores every field for its owner to read back', async () => {
    const { image, key } = await aLogo()
    const registration = aRegistration({ logoUrl: image.url })
    expect(await registerBusiness(deps, userId, registration)).toEqual({ ok: true })
    expect(await findOwnRegistration(connection.db, userId)).toEqual(registration)
    expect(key).toMatch(/^businessLogos\/\d+_logo\.png$/)
    expect(
      await findAvatar(connection.db, { uid: userId, email: 'NIA@example.com', emailVerified: false }),
    ).toBe(image.url)
  })

  it('registers once per user, even when pressed twice at once', async () => {
    const outcomes = await Promise.all([
      registerBusiness(deps, userId, aRegistration()),
      registerBusiness(deps, userId, aRegistration()),
    ])
    // The second press saved nothing and lost nothing: its values are there.
    expect(outcomes).toEqual([{ ok: true }, { ok: true }])
    const other = aRegistration({ businessName: 'Other' })
    expect(await registerBusiness(deps, userId, other)).toEqual({ ok: false, reason: 'already_registered' })
    const { count } = await connection.db
      .selectFrom('business_registrations')
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(1)
  })

  it('accepts an ABN that another user registered, and shows both to operators', async () => {
    const other = await aUser(connection.db)
    await registerBusiness(deps, userId, aRegistration({ abn: '33102417032', businessName: 'First' }))
    await registerBusiness(deps, other.id, aRegistration({ abn: '33102417032', businessName: 'Second' }))
    const shared = (await listSharedAbns(connection.db, 10)).find(({ abn }) => abn === '33102417032')
    expect(shared?.registrations.map(({ userId: by }) => by).sort()).toEqual([userId, other.id].sort())
  })

  it('refuses a logo that another user uploaded or that is not stored here', async () => {
    const stranger = await aUser(connection.db)
    const { image } = await aLogo(stranger.id)
    for (const logoUrl of [
      image.url,
      'https://evil.example/x.png',
      '/illustrations/x/y',
      '/files/businessLogos/none_1',
    ]) {
      const refused = await leavesAsIs(connection.db, 'registerBusiness', () =>
        registerBusiness(deps, userId, aRegistration({ logoUrl })),
      )
      expect(refused).toEqual({ ok: false, reason: 'unknown_logo' })
    }
    expect(await isRegistered(connection.db, userId)).toBe(false)
  })
})

describe('changeRegistration', () => {
  it('saves the user’s changes and deletes a logo that is no longer used', async () => {
    const first = await aLogo()
    await registerBusiness(deps, userId, aRegistration({ logoUrl: first.image.url }))
    const kept = aRegistration({ logoUrl: first.image.url, industryType: 'Events' })
    expect(await changeRegistration(deps, userId, kept)).toEqual({ ok: true })
    await deleteQueuedUploads(deps)
    expect(await deps.files.read(first.key)).not.toBeNull()
    const second = await aLogo()
    const changed = aRegistration({ logoUrl: second.image.url })
    expect(await changeRegistration(deps, userId, changed)).toEqual({ ok: true })
    expect(await findOwnRegistration(connection.db, userId)).toEqual(changed)
    await deleteQueuedUploads(deps)
    expect(await deps.files.read(first.key)).toBeNull()
    expect(await changeRegistration(deps, userId, aRegistration())).toEqual({ ok: true })
    await deleteQueuedUploads(deps)
    expect(await deps.files.read(second.key)).toBeNull()
  })

  it('saves the changes while the file store is away, and deletes the logo later', async () => {
    const { image, key } = await aLogo()
    await registerBusiness(deps, userId, aRegistration({ logoUrl: image.url }))
    const away = { ...deps, files: anUnavailableStore(deps.files) }
    expect(await changeRegistration(away, userId, aRegistration())).toEqual({ ok: true })
    expect(await deps.files.read(key)).not.toBeNull()
    await deleteQueuedUploads(deps)
    expect(await deps.files.read(key)).toBeNull()
  })

  it('refuses a user without a registration, even if another user has one', async () => {
    const other = await aUser(connection.db)
    await registerBusiness(deps, other.id, aRegistration())
    expect(await changeRegistration(deps, userId, aRegistration({ ownerName: 'Mallory' }))).toEqual({
      ok: false,
      reason: 'not_found',
    })
    expect((await findOwnRegistration(connection.db, other.id))?.ownerName).toBe('Nia')
  })

  it('changes nothing when the new logo is another user’s', async () => {
    const own = await aLogo()
    const registration = aRegistration({ logoUrl: own.image.url })
    await registerBusiness(deps, userId, registration)
    const stranger = await aUser(connection.db)
    const { image } = await aLogo(stranger.id)
    expect(await changeRegistration(deps, userId, aRegistration({ logoUrl: image.url }))).toEqual({
      ok: false,
      reason: 'unknown_logo',
    })
    expect(await findOwnRegistration(connection.db, userId)).toEqual(registration)
    await deleteQueuedUploads(deps)
    expect(await deps.files.read(own.key)).not.toBeNull()
  })
})

describe('a registration form that was made from an older version', () => {
  const versionOf = async () => (await findVersionedRegistration(connection.db, userId))?.version ?? ''
  const older = aRegistration({ abn: '33102417032', gstRegistered: true, ownerName: 'Nia B' })
  const newer = aRegistration({ gstRegistered: false })

  async function aStaleForm(): Promise<string> {
    await registerBusiness(deps, userId, aRegistration())
    const seen = await versionOf()
    clock.forward(60_000)
    expect(await changeRegistration(deps, userId, newer, seen)).toEqual({ ok: true })
    return seen
  }

  it('changes nothing, and learns the version that is saved now', async () => {
    const seen = await aStaleForm()
    expect(await changeRegistration(deps, userId, older, seen)).toEqual({
      ok: false,
      reason: 'changed_meanwhile',
      version: await versionOf(),
    })
    expect(await findOwnRegistration(connection.db, userId)).toEqual(newer)
  })

  it('succeeds if its answer was lost and its owner presses again', async () => {
    const seen = await aStaleForm()
    expect(await changeRegistration(deps, userId, newer, seen)).toEqual({ ok: true })
    expect(await findOwnRegistration(connection.db, userId)).toEqual(newer)
  })

  it('replaces the newer version once its owner has chosen to', async () => {
    await aStaleForm()
    expect(await changeRegistration(deps, userId, older, await versionOf())).toEqual({ ok: true })
    expect(await findOwnRegistration(connection.db, userId)).toEqual(older)
  })

  it('succeeds if it names no version, as forms did that are still open', async () => {
    await aStaleForm()
    expect(await changeRegistration(deps, userId, older)).toEqual({ ok: true })
  })

  it('saves only one of two at once', async () => {
    await registerBusiness(deps, userId, aRegistration())
    const seen = await versionOf()
    clock.forward(60_000)
    const outcomes = await Promise.all(
      [older, newer].map((form) => changeRegistration(deps, userId, form, seen)),
    )
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1)
  })

  it('finds no registration for another user, whatever version it names', async () => {
    const seen = await aStaleForm()
    const stranger = await aUser(connection.db)
    for (const version of [seen, await versionOf()]) {
      expect(await changeRegistration(deps, stranger.id, older, version)).toEqual({
        ok: false,
        reason: 'not_found',
      })
    }
    expect(await findOwnRegistration(connection.db, userId)).toEqual(newer)
  })
})
