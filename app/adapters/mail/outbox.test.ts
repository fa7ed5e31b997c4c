import { mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createOutbox } from './outbox.server.ts'

const DAY_MS = 86_400_000
const folder = mkdtempSync(join(tmpdir(), 'jubilee-outbox-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('keeps mails for a month', async () => {
  const outbox = createOutbox(folder, () => new Date())
  const mail = { to: 'kim@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }
  await outbox.send({ ...mail, messageId: 'old' })
  const [old = ''] = await readdir(folder)
  const longAgo = new Date(Date.now() - 31 * DAY_MS)
  utimesSync(join(folder, old), longAgo, longAgo)
  await outbox.send({ ...mail, messageId: 'new' })
  expect(await outbox.list(10)).toHaveLength(2)
  await outbox.forgetOld()
  expect((await outbox.list(10)).map(({ messageId }) => messageId)).toEqual(['new'])
})
