import { addDays, type LocalDate } from '../../shared/dates.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/time-units.ts'

/** How long an accountant may take to agree. */
export const CONFIRM_WITHIN_MS = 7 * DAY_MS
/** How long the links of a month's mail open its files. */
export const FILES_OPEN_MS = 30 * DAY_MS
/** When a month's mail that no mail server has accepted is queued again. The tries of one job end within seven hours. */
export const TRY_AGAIN_MS = 12 * HOUR_MS
/** A process that has died frees its mail after this. */
export const CLAIM_MS = 10 * MINUTE_MS
/** A document that is just being stored while a mail is made goes with the next one as well. */
const STORING_MS = 10 * MINUTE_MS

/** When the documents were issued that go with a mail as late ones. @param before the mail before it, or the accountant's consent */
export function lateTime(before: Date, sentAt: Date): { after: Date; until: Date } {
  return {
    after: new Date(before.getTime() - STORING_MS),
    until: new Date(sentAt.getTime() - STORING_MS),
  }
}
/** Before this day of the next month nothing is sent, so that the commission of the month has been invoiced. */
const SENT_FROM_DAY = 3
/** Questions to accountants, for each vendor. */
export const ASK_LIMIT = { max: 5, windowMs: DAY_MS }

/** A link of a mail to an accountant, to the question whether they agree or to a month's files. */
export type AccountantLink = { id: string; about: string; signature: string }

/** Reads the token of an accountant's link. @returns null for any other text */
export function readAccountantToken(token: string): AccountantLink | null {
  const [, id, about, signature] = TOKEN.exec(token) ?? []
  return id && about && signature ? { id, about, signature } : null
}
const TOKEN = /^([\w-]{1,64})\.(confirm|\d{4}-(?:0[1-9]|1[0-2]))\.([\w-]{43})$/

/** The text whose signature proves that a link is ours. */
export const signedText = (id: string, about: string) => `accountant:${id}:${about}`

/** 'YYYY-MM', the month before a day's. */
const monthBefore = (day: LocalDate) => addDays(`${day.slice(0, 7)}-01`, -1).slice(0, 7)

/** The last month that is sent by now. @param today by the vendor's clock */
export function lastMonthToSend(today: LocalDate): string {
  const last = monthBefore(today)
  return Number(today.slice(8)) >= SENT_FROM_DAY ? last : monthBefore(`${last}-01`)
}

/** The months from one to another, both included. */
export function monthsBetween(first: string, last: string): string[] {
  const months: string[] = []
  for (let month = first; month <= last; month = addDays(`${month}-01`, 31).slice(0, 7)) months.push(month)
  return months
}

/** The files of a month: 'sales.csv' and 'commission.csv' beside its documents. @returns null for any other text */
export function readMonthFile(file: string): 'sale' | 'commission' | null {
  return file === 'sales.csv' ? 'sale' : file === 'commission.csv' ? 'commission' : null
}
