import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { refuse } from '../../shared/result.ts'
import type { EnquiryDeps } from '../enquiries/deps.server.ts'
import { recipientOf } from '../enquiries/notice-commands.server.ts'
import { accountOf, pathOf } from '../enquiries/notice-queries.server.ts'
import { selectConversations } from '../enquiries/queries.server.ts'
import type { Side } from '../enquiries/rules.ts'
import type { ConversationRow } from '../enquiries/tables.server.ts'
import { addNotification } from '../notifications/commands.server.ts'
import { logAction, type Operator } from './log-commands.server.ts'
import { letterTitle, reportLetterMail } from './mails.ts'
import { findReport } from './report-queries.server.ts'
import type { LetterKind } from './rules.ts'

type LetterDeps = Pick<EnquiryDeps, 'db' | 'jobs' | 'liveUpdates' | 'now' | 'brand' | 'publicUrl'>

type Letter = { key: string; kind: LetterKind; sentTo: Side | 'both'; body: string }

/**
 * Writes to one side of a reported conversation or to both: a mail each, and a notification to those with an account.
 * @param input.letter.key of the form. The same letter again is a success that sends nothing
 * @returns refuses with 'not_found', 'closed' (the report is), 'no_address' (a side's account is gone or disabled) and 'changed'
 *   (the key belongs to another letter)
 */
export async function writeAboutReport(
  deps: LetterDeps,
  input: { operator: Operator; reportId: string; letter: Letter },
): Promise<{ ok: true } | { ok: false; reason: 'not_found' | 'closed' | 'no_address' | 'changed' }> {
  const { operator, reportId, letter } = input
  return deps.db.transaction().execute(async (tx) => {
    const report = await findReport(tx, reportId)
    if (!report) return refuse('not_found')
    const sent = await findLetter(tx, letter.key)
    if (sent) return isSame(sent, input) ? { ok: true } : refuse('changed')
    // Its conversation's row first, as every other command locks it.
    const conversation = await selectConversations(tx)
      .where('id', '=', report.conversation_id)
      .forUpdate('conversations')
      .executeTakeFirstOrThrow()
    const isOpen = await tx
      .selectFrom('conversation_reports')
      .select('id')
      .where('id', '=', reportId)
      .where('closed_at', 'is', null)
      .executeTakeFirst()
    if (!isOpen) return refuse('closed')
    const stored = await tx
      .insertInto('report_letters')
      .values({
        id: letter.key,
        report_id: reportId,
        kind: letter.kind,
        sent_to: letter.sentTo,
        body: letter.body,
        sent_by_email: operator.email,
        sent_at: deps.now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    // Another press of the same form was faster.
    if (!stored) return isSame(await findLetter(tx, letter.key), input) ? { ok: true } : refuse('changed')
    const sides = letter.sentTo === 'both' ? (['customer', 'vendor'] as const) : [letter.sentTo]
    for (const side of sides)
      if (!(await sendTo(deps, tx, { side, conversation, letter }))) return refuse('no_address')
    await logAction(tx, {
      operator,
      action: letter.kind === 'warning' ? 'warn-side' : 'write-to-both',
      subject: { kind: 'conversation', id: conversation.id, label: conversation.business_name },
      // The log stays for good. The letter's text goes with its conversation.
      reason: `Letter ${letter.key} to ${letter.sentTo === 'both' ? 'both' : `the ${letter.sentTo}`}`,
      at: deps.now(),
    })
    return { ok: true }
  })
}

/** Deletes the letters about closed reports whose conversation has lost its customer or its messages. */
export async function forgetLetters(db: Database): Promise<void> {
  await db
    .deleteFrom('report_letters')
    .using('conversation_reports')
    .using('conversations')
    .whereRef('conversation_reports.id', '=', 'report_letters.report_id')
    .whereRef('conversations.id', '=', 'conversation_reports.conversation_id')
    .where('conversation_reports.closed_at', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('conversations.customer_email', '=', ''),
        eb.not(
          eb.exists(
            eb
              .selectFrom('messages')
              .select('messages.id')
              .whereRef('messages.conversation_id', '=', 'conversations.id'),
          ),
        ),
      ]),
    )
    .execute()
}

const findLetter = (tx: DatabaseTransaction, key: string) =>
  tx.selectFrom('report_letters').selectAll().where('id', '=', key).executeTakeFirst()

const isSame = (
  sent: Awaited<ReturnType<typeof findLetter>>,
  { reportId, letter }: { reportId: string; letter: Letter },
) =>
  sent?.report_id === reportId &&
  sent.kind === letter.kind &&
  sent.sent_to === letter.sentTo &&
  sent.body === letter.body

/** @returns false where the side can't be written to */
async function sendTo(
  deps: LetterDeps,
  tx: DatabaseTransaction,
  { side, conversation, letter }: { side: Side; conversation: ConversationRow; letter: Letter },
): Promise<boolean> {
  const to = await recipientOf(tx, conversation, side)
  if (!to) return false
  const otherName = side === 'vendor' ? conversation.customer_name : conversation.business_name
  const about = { key: letter.key, kind: letter.kind, otherName, body: letter.body }
  await deps.jobs.enqueue(tx, 'send-mail', reportLetterMail(to, about, deps))
  const userId = await accountOf(tx, conversation, side)
  if (!userId) return true
  const notification = {
    userId,
    kind: 'report',
    title: letterTitle(about),
    body: letter.body,
    // By this link it is deleted with the conversation, as it names the other side.
    link: pathOf(conversation.id, side),
    eventKey: `report-letter:${letter.key}:${side}`,
  }
  await addNotification(tx, notification, deps.now())
  await deps.liveUpdates.publish(tx, `notifications:${userId}`)
  return true
}
