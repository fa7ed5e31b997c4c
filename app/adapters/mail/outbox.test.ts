import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { DAY_MS } from '../../shared/time-units.ts'
import { createOutbox } from './outbox.server.ts'

const folder = mkdtempSync(join(tmpdir(), 'jubilee-outbox-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('the outbox keeps mails for 30 days', async () => {
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

it('the outbox keeps unread mails when testers move the clock by months', async () => {
  let aheadMs = 0
  const moved = createOutbox(join(folder, 'moved'), () => new Date(Date.now() + aheadMs))
  const mail = { to: 'kim@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }
  await moved.send({ ...mail, messageId: 'unread' })
  aheadMs = 90 * DAY_MS
  await moved.forgetOld()
  expect(await moved.list(10)).toHaveLength(1)
})

it('the outbox lists and forgets mails even if a file is renamed or deleted meanwhile', async () => {
  const busy = join(folder, 'busy')
  const nextMonth = () => new Date(Date.now() + 31 * DAY_MS)
  const outbox = createOutbox(busy, nextMonth, nextMonth)
  mkdirSync(busy)
  // A listed name without a file.
  symlinkSync('nowhere', join(busy, '0.json'))
  writeFileSync(join(busy, '1.json'), '{}')
  expect(await outbox.list(10)).toHaveLength(1)
  await outbox.forgetOld()
  expect(await readdir(busy)).toEqual(['0.json'])
})

it('the outbox hides mails from other users of the machine', async () => {
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
  const mail = {
    to: 'kim@example.com',
    subject: 'Hello',
    text: 'Hello',
    html: '<p>Hello</p>',
    messageId: 'private',
  }
  const made = join(folder, 'made')
  await createOutbox(made, () => new Date()).send(mail)
  // Earlier versions created the folder like this.
  const older = join(folder, 'older')
  mkdirSync(older)
  chmodSync(older, 0o755)
  await createOutbox(older, () => new Date()).send(mail)
  for (const place of [made, older]) {
    expect(modeOf(place)).toBe('700')
    const [file = ''] = await readdir(place)
    expect(modeOf(join(place, file))).toBe('600')
  }
})
