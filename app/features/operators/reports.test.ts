import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aConversation, aMessage, anEnquiryWorld } from '../../../tests/builders.ts'
import { leavesAsIs } from '../../../tests/leaves-as-is.ts'
import { aPdf } from '../../../tests/pdf-files.ts'
import { sendMessage } from '../enquiries/commands.server.ts'
import { findConversation } from '../enquiries/queries.server.ts'
import { reportConversation } from '../enquiries/status-commands.server.ts'
import { forgetLetters, writeAboutReport } from './letter-commands.server.ts'
import { closeReport, openReport, readReportedFile } from './report-commands.server.ts'
import { countWaitingReports, listReports } from './report-queries.server.ts'
import { REPORT_ALERT_MS } from './rules.ts'

let world: Awaited<ReturnType<typeof anEnquiryWorld>>
const operator = { userId: 'operator', email: 'operator@example.com' }

beforeAll(async () => {
  world = await anEnquiryWorld()
})
afterAll(() => world.close())

const logOf = (conversationId: string) =>
  world.db
    .selectFrom('operator_log')
    .select(['action', 'operator_email', 'reason'])
    .where('subject_id', '=', conversationId)
    .orderBy('created_at')
    .orderBy('action', 'desc')
    .execute()

async function aReport() {
  const pdf = new File([aPdf()], 'plan.pdf')
  const talk = await aConversation(world, { body: 'Pay me in cash.', files: [pdf] })
  await reportConversation(world.deps, { id: talk.id, by: talk.vendor, reason: 'Wants cash.' })
  const report = (await listReports(world.db, 'open')).find(
    ({ conversationId }) => conversationId === talk.id,
  )
  if (!report) throw new Error('not reported')
  const view = await findConversation(world.deps, { id: talk.id, by: talk.vendor })
  return { talk, reportId: report.id, report, fileId: view?.messages[0]?.files[0]?.id ?? '' }
}

describe('a reported conversation', () => {
  it('appears in the list without its messages, and each opening is logged', async () => {
    const { talk, reportId, report } = await aReport()
    expect(report).toMatchObject({ reportedBy: 'vendor', reason: 'Wants cash.', closedAt: null })
    expect(JSON.stringify(report)).not.toContain('Pay me')
    expect(await logOf(talk.id)).toEqual([])
    for (let opening = 1; opening <= 2; opening++) {
      const opened = await openReport(world.deps, { operator, reportId })
      expect(opened?.conversation.messages).toMatchObject([{ body: 'Pay me in cash.' }])
      expect(await logOf(talk.id)).toHaveLength(opening)
    }
    expect((await logOf(talk.id))[0]).toMatchObject({
      action: 'open-report',
      operator_email: 'operator@example.com',
    })
    // The two sides aren't told, and nothing is read for them.
    expect((await findConversation(world.deps, { id: talk.id, by: talk.vendor }))?.unread).toBe(1)
  })

  it('opens to operators, files included, unlike every other conversation', async () => {
    const { talk, fileId } = await aReport()
    expect(await readReportedFile(world.deps, { operator, fileId })).toMatchObject({ name: 'plan.pdf' })
    expect(await logOf(talk.id)).toMatchObject([{ action: 'open-report', reason: 'plan.pdf' }])
    const pdf = new File([aPdf()], 'other.pdf')
    const quiet = await aConversation(world, { files: [pdf] })
    const view = await findConversation(world.deps, { id: quiet.id, by: quiet.vendor })
    const other = view?.messages[0]?.files[0]?.id ?? ''
    expect(await readReportedFile(world.deps, { operator, fileId: other })).toBeNull()
    expect(await openReport(world.deps, { operator, reportId: quiet.id })).toBeNull()
    expect(await logOf(quiet.id)).toEqual([])
  })

  it('closes once, with an outcome and, if wanted, a side blocked', async () => {
    const { talk, reportId } = await aReport()
    const close = () =>
      closeReport(world.deps, { operator, reportId, outcome: 'Asked for cash.', block: 'customer' })
    expect((await Promise.all([close(), close()])).map(({ ok }) => ok).toSorted()).toEqual([false, true])
    expect(await close()).toEqual({ ok: false, reason: 'closed' })
    const write = (by: typeof talk.vendor | typeof talk.customer) =>
      sendMessage(world.deps, { id: talk.id, by, message: aMessage() })
    expect(await write(talk.customer)).toEqual({ ok: false, reason: 'blocked' })
    expect(await write(talk.vendor)).toEqual({ ok: false, reason: 'blocked_by_you' })
    expect((await logOf(talk.id)).map(({ action }) => action)).toEqual(['close-report'])
    const [closed] = await listReports(world.db, 'closed')
    expect(closed).toMatchObject({ id: reportId, outcome: 'Asked for cash.', closedBy: operator.email })
    expect(await closeReport(world.deps, { operator, reportId: 'none', outcome: 'x', block: null })).toEqual({
      ok: false,
      reason: 'not_found',
    })
  })

  it('stays open for both sides when nobody is blocked', async () => {
    const { talk, reportId } = await aReport()
    await closeReport(world.deps, { operator, reportId, outcome: 'A misunderstanding.', block: null })
    expect(
      await sendMessage(world.deps, { id: talk.id, by: talk.customer, message: aMessage() }),
    ).toMatchObject({ ok: true })
    expect(await findConversation(world.deps, { id: talk.id, by: talk.vendor })).toMatchObject({
      isReported: false,
    })
  })

  it('alerts after a day without an outcome', async () => {
    const { db, clock } = world
    const { reportId } = await aReport()
    const open = (await listReports(db, 'open')).length
    const waiting = () => countWaitingReports(db, clock.now())
    clock.forward(REPORT_ALERT_MS)
    expect(await waiting()).toBe(0)
    clock.forward(1)
    expect(await waiting()).toBe(open)
    await closeReport(world.deps, { operator, reportId, outcome: 'Spoke to both.', block: null })
    expect(await waiting()).toBe(open - 1)
  })
})

describe('a letter about a report', () => {
  const write = (reportId: string, letter: Partial<Parameters<typeof writeAboutReport>[1]['letter']> = {}) =>
    writeAboutReport(world.deps, {
      operator,
      reportId,
      letter: { key: 'k', kind: 'letter', sentTo: 'both', body: 'Please pay here.', ...letter },
    })
  const mailsOf = async (key: string) =>
    (await world.jobs.mails()).filter(({ messageId }) => messageId.includes(`report-letter-${key}-`))
  const noticesOf = (userId: string) =>
    world.db
      .selectFrom('notifications')
      .select(['title', 'body'])
      .where('user_id', '=', userId)
      .where('kind', '=', 'report')
      .execute()

  it('goes to both sides once, however often its form is sent', async () => {
    const { talk, reportId } = await aReport()
    const send = () => write(reportId, { key: 'both' })
    expect(await Promise.all([send(), send()])).toEqual([{ ok: true }, { ok: true }])
    expect(await send()).toEqual({ ok: true })
    const mails = await mailsOf('both')
    expect(mails).toHaveLength(2)
    for (const { text } of mails) expect(text).toContain('Please pay here.')
    expect(await noticesOf(talk.vendor.userId)).toHaveLength(1)
    expect((await logOf(talk.id)).filter(({ action }) => action === 'write-to-both')).toHaveLength(1)
    const opened = await openReport(world.deps, { operator, reportId })
    expect(opened?.letters).toMatchObject([{ sentTo: 'both', sentBy: operator.email }])
  })

  it('warns one side, and tells the other nothing', async () => {
    const { talk, reportId } = await aReport()
    expect(await write(reportId, { key: 'warn', kind: 'warning', sentTo: 'vendor' })).toEqual({ ok: true })
    const mails = await mailsOf('warn')
    expect(mails.map(({ subject }) => subject)).toEqual([
      expect.stringContaining('A warning about your conversation with '),
    ])
    expect(await noticesOf(talk.vendor.userId)).toHaveLength(1)
    expect((await logOf(talk.id)).map(({ action, reason }) => [action, reason])).toContainEqual([
      'warn-side',
      'Letter warn to the vendor',
    ])
  })

  it('is deleted once its report is closed and its conversation has lost its customer or its messages', async () => {
    const { db, clock } = world
    const lettersOf = (reportId: string) =>
      db.selectFrom('report_letters').select('id').where('report_id', '=', reportId).execute()
    const close = (reportId: string) =>
      db
        .updateTable('conversation_reports')
        .set({ closed_at: clock.now(), outcome: 'Warned.' })
        .where('id', '=', reportId)
        .execute()
    const [left, emptied, kept] = [await aReport(), await aReport(), await aReport()]
    for (const { reportId } of [left, emptied, kept]) await write(reportId, { key: `forgotten-${reportId}` })
    await close(kept.reportId)
    await close(emptied.reportId)
    await db
      .updateTable('conversations')
      .set({ customer_email: '', customer_user_id: null })
      .where('id', '=', left.talk.id)
      .execute()
    await db.deleteFrom('messages').where('conversation_id', '=', emptied.talk.id).execute()
    await forgetLetters(db)
    expect(await lettersOf(left.reportId)).toHaveLength(1)
    expect(await lettersOf(emptied.reportId)).toEqual([])
    expect(await lettersOf(kept.reportId)).toHaveLength(1)
    await close(left.reportId)
    await forgetLetters(db)
    expect(await lettersOf(left.reportId)).toEqual([])
  })

  it('leaves typed text out of a mail to an address that isn’t proved', async () => {
    const { talk, reportId } = await aReport()
    await world.db
      .updateTable('users')
      .set({ email_verified: false })
      .where('id', '=', talk.vendor.userId)
      .execute()
    await write(reportId, { key: 'unproved', kind: 'warning', sentTo: 'vendor' })
    const [mail] = await mailsOf('unproved')
    expect(mail?.text).not.toContain('Please pay here.')
    expect(await noticesOf(talk.vendor.userId)).toMatchObject([{ body: 'Please pay here.' }])
  })

  it('can’t be written about a closed report, to a closed account, or under another letter’s key', async () => {
    const { talk, reportId } = await aReport()
    await write(reportId, { key: 'first' })
    const refused = (reason: string, letter: Parameters<typeof write>[1], id = reportId) =>
      leavesAsIs(world.db, 'writeAboutReport', () => write(id, letter)).then((result) =>
        expect(result).toEqual({ ok: false, reason }),
      )
    await refused('not_found', { key: 'none' }, 'none')
    await refused('changed', { key: 'first', body: 'Other words.' })
    await world.db
      .updateTable('users')
      .set({ disabled_at: world.clock.now() })
      .where('id', '=', talk.vendor.userId)
      .execute()
    // The customer, who comes first, isn't told either.
    await refused('no_address', { key: 'gone' })
    await closeReport(world.deps, { operator, reportId, outcome: 'Spoke to both.', block: null })
    await refused('closed', { key: 'late' })
    expect(await mailsOf('gone')).toEqual([])
  })
})
