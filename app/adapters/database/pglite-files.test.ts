import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { notOpened, openPglite } from './pglite.server.ts'

const MB = 1024 * 1024

describe('an embedded database that can’t be opened', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'jubilee-damaged-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('for want of space says that the disk is full, and that nothing saved is lost', () => {
    const { message, name } = notOpened('/data/database', 12 * MB, new Error('failed to initialize'))
    expect(name).toBe('DatabaseNotOpened')
    expect(message).toContain('The disk is full: /data/database has 12 MB left')
    expect(message).toContain('What was saved is still there.')
  })

  it('with space left says to restore a backup', () => {
    expect(notOpened('/data/database', 500 * MB, new Error('Aborted()')).message).toContain(
      'restore a backup: npm run restore -- folder',
    )
  })

  it('since its files are damaged says so, and leaves its folder for another try', async () => {
    const first = await openPglite(folder)
    await first.close()
    truncateSync(join(folder, 'database/global/pg_control'), 100)
    for (let time = 0; time < 2; time++)
      await expect(openPglite(folder)).rejects.toMatchObject({
        name: 'DatabaseNotOpened',
        message: expect.stringContaining(`The database in ${join(folder, 'database')} is damaged`),
      })
    expect(readdirSync(folder)).toEqual(['database'])
    // Making the files takes seconds of a core, and the tests share a few.
  }, 300_000)
})
