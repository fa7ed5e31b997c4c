import { sql } from 'kysely'
import { href } from 'react-router'
import type { BusinessRegister } from '../../adapters/business-register/port.ts'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Jobs } from '../../adapters/jobs/port.ts'
import type { LiveUpdates } from '../../adapters/live-updates/port.ts'
import type { Limit, RateLimits } from '../../adapters/rate-limits/port.ts'
import { lockByName } from '../../shared/locks.server.ts'
import { HOUR_MS, MINUTE_MS } from '../../shared/time-units.ts'
import { addNotification } from '../notifications/commands.server.ts'
import { registerProblemMail } from './mails.ts'
import { PROBLEM_TEXTS, PROBLEM_TITLES } from './register-messages.ts'
import { factsOf, findLastAnswer, type StoredAnswer } from './register-queries.server.ts'
import {
  ANSWERS_KEPT_YEARS,
  ASKED_AGAIN_AFTER_MS,
  factsOfEntry,
  pauseAfterFailures,
  problemOf,
  type RegisterFacts,
  type RegisterProblem,
  registerDay,
} from './register-rules.ts'
import { abnDigits, isValidAbn } from './rules.ts'

/** The services of commands that the register's answer may have a consequence in. */
export type RegistrationDeps = {
  db: Database
  jobs: Jobs
  liveUpdates: Pick<LiveUpdates, 'publish'>
  now: () => Date
  brand: string
  publicUrl: URL
  /** Looks at the transfers to a vendor again, since what holds them may have changed. */
  queueVendor: (tx: DatabaseTransaction, userId: string) => Promise<void>
}

/** The services of commands that ask the register; null where none is asked. */
export type RegisterDeps = RegistrationDeps & { register: BusinessRegister | null }

/** Longer than an ask lasts. After a crash in it, the registration is asked about again. */
const CLAIM_MS = 5 * MINUTE_MS
/** Each minute. A day has time for 14,400 registrations. */
const ASKS_PER_RUN = 10
/** Between two asks of a run, so that the register isn't hurried. */
const PAUSE_MS = 500

export type AskOutcome = 'answered' | 'unavailable' | 'not_due'

/**
 * Asks the register about a registration if that is due, and stores the answer. Twice at once, or once more after a crash, has the
 * same effect.
 * @returns 'not_due' also if its ABN has changed meanwhile: the change is asked about by itself
 */
export async function askRegister(deps: RegisterDeps, registrationId: string): Promise<AskOutcome> {
  if (!deps.register) return 'not_due'
  const now = deps.now()
  const claimed = await sql<ClaimedCheck>`
    update register_checks set ask_at = ${new Date(now.getTime() + CLAIM_MS)}
    from business_registrations r
    where r.id = registration_id and registration_id = ${registrationId} and ask_at <= ${now}
    returning r.id, r.abn`.execute(deps.db)
  const [check] = claimed.rows
  return check ? ask(deps, deps.register, check) : 'not_due'
}

/**
 * Asks the register about the registrations that have waited longest, a few at a time. Ends at the first one without an answer,
 * since the others would have none either.
 * @param deps.wait pauses for this number of milliseconds
 */
export async function askDueRegistrations(
  deps: RegisterDeps & { wait: (ms: number) => Promise<unknown> },
): Promise<void> {
  if (!deps.register) return
  for (let asked = 0; asked < ASKS_PER_RUN; asked++) {
    const now = deps.now()
    const { rows } = await sql<ClaimedCheck>`
      update register_checks set ask_at = ${new Date(now.getTime() + CLAIM_MS)}
      from business_registrations r
      where r.id = registration_id and registration_id = (
        select registration_id from register_checks where ask_at <= ${now}
        order by ask_at limit 1 for update of register_checks skip locked)
      returning r.id, r.abn`.execute(deps.db)
    const [check] = rows
    if (!check) return
    if (asked > 0) await deps.wait(PAUSE_MS)
    if ((await ask(deps, deps.register, check)) === 'unavailable') return
  }
}

type ClaimedCheck = { id: string; abn: string }

async function ask(deps: RegisterDeps, register: BusinessRegister, check: ClaimedCheck): Promise<AskOutcome> {
  const finding = await register.find(check.abn)
  return deps.db.transaction().execute(async (tx) => {
    const registration = await tx
      .selectFrom('business_registrations')
      .select(['id', 'user_id', 'abn', 'gst_registered', 'register_problem'])
      .where('id', '=', check.id)
      .forUpdate()
      .executeTakeFirst()
    if (registration?.abn !== check.abn) return 'not_due'
    const now = deps.now()
    if (!finding.ok) {
      const { failures } = await tx
        .updateTable('register_checks')
        .set((eb) => ({ failures: eb('failures', '+', 1) }))
        .where('registration_id', '=', check.id)
        .returning('failures')
        .executeTakeFirstOrThrow()
      await askNext(tx, check.id, { ask_at: new Date(now.getTime() + pauseAfterFailures(failures)) })
      return 'unavailable'
    }
    const answer = await storeAnswer(tx, { abn: check.abn, facts: factsOfEntry(finding.entry), now })
    await applyAnswer(deps, tx, registration, answer)
    await askNext(tx, check.id, { ask_at: new Date(now.getTime() + ASKED_AGAIN_AFTER_MS), failures: 0 })
    return 'answered'
  })
}

/**
 * Asks the register about an ABN that may have no registration here, and stores its answer.
 * @param abn eleven digits whose check digits are right
 */
export async function askAboutAbn(
  deps: { db: Database; now: () => Date; register: BusinessRegister },
  abn: string,
): Promise<void> {
  const finding = await deps.register.find(abn)
  if (!finding.ok) return
  await deps.db
    .transaction()
    .execute((tx) => storeAnswer(tx, { abn, facts: factsOfEntry(finding.entry), now: deps.now() }))
}

async function askNext(
  tx: DatabaseTransaction,
  registrationId: string,
  next: { ask_at: Date; failures?: number },
): Promise<void> {
  await tx.updateTable('register_checks').set(next).where('registration_id', '=', registrationId).execute()
}

/** Stores an answer: the same as the last one moves its time, another one is added. */
async function storeAnswer(
  tx: DatabaseTransaction,
  { abn, facts, now }: { abn: string; facts: RegisterFacts; now: Date },
): Promise<StoredAnswer> {
  // Several accounts may have registered the same ABN.
  await lockByName(tx, 'register-answer', abn)
  const last = await findLastAnswer(tx, abn)
  if (last && isSameAnswer(factsOf(last), facts)) {
    if (last.lastAt >= now) return last
    await tx.updateTable('register_answers').set({ last_at: now }).where('id', '=', last.id).execute()
    return { ...last, lastAt: now }
  }
  const { id } = await tx
    .insertInto('register_answers')
    .values({
      abn,
      status: facts.status,
      status_since: facts.statusSince,
      entity_name: facts.entityName,
      entity_type: facts.entityType,
      business_names: JSON.stringify(facts.businessNames),
      gst_since: facts.gstSince,
      state: facts.state,
      first_at: now,
      last_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { ...facts, id: String(id), firstAt: now, lastAt: now }
}

function isSameAnswer(one: RegisterFacts, other: RegisterFacts): boolean {
  return (Object.keys(other) as (keyof RegisterFacts)[]).every(
    (field) => JSON.stringify(one[field]) === JSON.stringify(other[field]),
  )
}

type RegistrationRow = {
  id: string
  user_id: string
  abn: string
  gst_registered: boolean
  register_problem: RegisterProblem | null
}

/**
 * Derives what the register has against a registration, under its row's lock. A change takes its mark away or gives it back, and
 * its transfers are looked at again. The vendor is told of a new problem, once for each answer.
 * @param answer the last one about its ABN; null without one
 */
export async function applyAnswer(
  deps: RegistrationDeps,
  tx: DatabaseTransaction,
  registration: RegistrationRow,
  answer: StoredAnswer | null,
): Promise<void> {
  const now = deps.now()
  const problem = problemOf({ gstRegistered: registration.gst_registered }, answer, registerDay(now))
  if (problem === registration.register_problem) return
  await tx
    .updateTable('business_registrations')
    .set({ register_problem: problem })
    .where('id', '=', registration.id)
    .execute()
  await deps.queueVendor(tx, registration.user_id)
  if (problem && answer) await tellVendor(deps, tx, { registration, problem, answerId: answer.id })
}

async function tellVendor(
  deps: RegistrationDeps,
  tx: DatabaseTransaction,
  told: { registration: RegistrationRow; problem: RegisterProblem; answerId: string },
): Promise<void> {
  const { registration, problem } = told
  const userId = registration.user_id
  const vendor = await tx
    .selectFrom('users')
    .select(['email', 'name', 'email_verified'])
    .where('id', '=', userId)
    .executeTakeFirst()
  // The account is deleted.
  if (!vendor) return
  const key = `register:${registration.id}:${problem}:${told.answerId}`
  const notification = {
    ...{ userId, kind: 'registration', eventKey: key },
    title: PROBLEM_TITLES[problem],
    body: PROBLEM_TEXTS[problem],
    link: href('/dashboard/register-business'),
  }
  if (!(await addNotification(tx, notification, deps.now()))) return
  const to = { email: vendor.email, name: vendor.name, isProven: vendor.email_verified }
  const mail = registerProblemMail({ key, problem, abn: registration.abn }, to, deps)
  await deps.jobs.enqueue(tx, 'send-mail', mail)
  await deps.liveUpdates.publish(tx, `notifications:${userId}`)
}

/** Asks of one vendor about their own registration. */
export const ASK_AGAIN_LIMIT: Limit = { max: 5, windowMs: HOUR_MS }
/** Look-ups of one person, who may mistype an ABN a few times. */
export const LOOKUP_LIMIT: Limit = { max: 20, windowMs: HOUR_MS }
/** Look-ups of everybody, so that nobody uses up what the register allows us. */
export const ALL_LOOKUPS_LIMIT: Limit = { max: 500, windowMs: HOUR_MS }

/**
 * Asks the register about this user's registration now.
 * @returns refuses with 'not_found' without a registration, or where no register is asked
 */
export async function askAgain(
  deps: RegisterDeps & { rateLimits: RateLimits },
  userId: string,
): Promise<{ ok: true } | { ok: false; reason: 'too_often' | 'unavailable' | 'not_found' }> {
  if (!(await deps.rateLimits.take(`register-ask:${userId}`, ASK_AGAIN_LIMIT)))
    return { ok: false, reason: 'too_often' }
  const { rows } = await sql<{ id: string }>`
    update register_checks set ask_at = '-infinity' from business_registrations r
    where r.id = registration_id and r.user_id = ${userId} returning r.id`.execute(deps.db)
  const [registration] = rows
  if (!registration || !deps.register) return { ok: false, reason: 'not_found' }
  const outcome = await askRegister(deps, registration.id)
  // Not due: another process is asking at this moment, or its owner has just changed it.
  return outcome === 'unavailable' ? { ok: false, reason: 'unavailable' } : { ok: true }
}

/**
 * Looks up an ABN that somebody is typing. An answer of the last day is used again; a new one isn't stored, since the ABN may never
 * be registered here.
 * @returns refuses with 'not_an_abn' for wrong digits, 'not_asked' where no register is asked, 'too_often', and 'unavailable'
 */
export async function lookUpAbn(
  deps: { db: Database; register: BusinessRegister | null; rateLimits: RateLimits; now: () => Date },
  input: { userId: string; abn: string },
): Promise<
  | { ok: true; facts: RegisterFacts }
  | { ok: false; reason: 'not_an_abn' | 'not_asked' | 'too_often' | 'unavailable' }
> {
  const { abn } = input
  if (abnDigits(abn) !== abn || !isValidAbn(abn)) return { ok: false, reason: 'not_an_abn' }
  if (!deps.register) return { ok: false, reason: 'not_asked' }
  const mayAsk =
    (await deps.rateLimits.take(`register-lookup:${input.userId}`, LOOKUP_LIMIT)) &&
    (await deps.rateLimits.take('register-lookup', ALL_LOOKUPS_LIMIT))
  if (!mayAsk) return { ok: false, reason: 'too_often' }
  const last = await findLastAnswer(deps.db, abn)
  if (last && last.lastAt.getTime() > deps.now().getTime() - ASKED_AGAIN_AFTER_MS)
    return { ok: true, facts: factsOf(last) }
  const finding = await deps.register.find(abn)
  return finding.ok ? { ok: true, facts: factsOfEntry(finding.entry) } : { ok: false, reason: 'unavailable' }
}

/** Deletes answers that nothing needs any more: given last five years ago, about an ABN that nobody has registered. */
export async function forgetAnswers(deps: { db: Database; now: () => Date }): Promise<void> {
  const before = deps.now()
  before.setUTCFullYear(before.getUTCFullYear() - ANSWERS_KEPT_YEARS)
  await sql`
    delete from register_answers where last_at < ${before} and not exists (
      select from business_registrations r where r.abn = register_answers.abn)`.execute(deps.db)
}
