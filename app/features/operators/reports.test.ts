import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aConversation, aMessage, anEnquiryWorld } from '../../../tests/builders.ts'
import { aPdf } from '../../../tests/pdf-files.ts'
import { sendMessage } from '../enquiries/commands.server.ts'
import { findConversation } from '../enquiries/queries.server.ts'
import { reportConversation } from '../enquiries/status-commands.server.ts'
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
