import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { LocalDate } from '../../shared/dates.ts'
import {
  type GstAnswer,
  gstAt,
  type RegisterAnswer,
  type RegisterFacts,
  type RegisterStanding,
  registerDay,
  standingOf,
} from './register-rules.ts'

/** An answer of the register as stored. */
export type StoredAnswer = RegisterAnswer & { id: string }

/** Returns the register's last answer about an ABN; null without one. */
export async function findLastAnswer(
  db: Database | DatabaseTransaction,
  abn: string,
): Promise<StoredAnswer | null> {
  const row = await selectAnswers(db, abn).orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row ? toAnswer(row) : null
}

/** Lists all that the register has answered about an ABN, oldest first. */
export async function listAnswers(db: Database | DatabaseTransaction, abn: string): Promise<StoredAnswer[]> {
  return (await selectAnswers(db, abn).orderBy('id').execute()).map(toAnswer)
}

/** Whether the register has an ABN registered for GST on the day of a supply, by all that it has answered. */
export async function findGstAt(
  db: Database | DatabaseTransaction,
  supply: { abn: string; day: LocalDate },
): Promise<GstAnswer> {
  return gstAt(await listAnswers(db, supply.abn), supply.day)
}

function selectAnswers(db: Database | DatabaseTransaction, abn: string) {
  return db
    .selectFrom('register_answers')
    .select(['id', 'status', 'entity_name', 'entity_type', 'business_names', 'state', 'first_at', 'last_at'])
    .select([
      sql<LocalDate | null>`to_char(status_since, 'YYYY-MM-DD')`.as('status_since'),
      sql<LocalDate | null>`to_char(gst_since, 'YYYY-MM-DD')`.as('gst_since'),
    ])
    .where('abn', '=', abn)
}

type AnswerRow = Awaited<ReturnType<ReturnType<typeof selectAnswers>['executeTakeFirstOrThrow']>>

function toAnswer(row: AnswerRow): StoredAnswer {
  return {
    id: String(row.id),
    status: row.status,
    statusSince: row.status_since,
    entityName: row.entity_name,
    entityType: row.entity_type,
    businessNames: row.business_names,
    gstSince: row.gst_since,
    state: row.state,
    firstAt: row.first_at,
    lastAt: row.last_at,
  }
}

/** How this user's registration stands with the register, as its own screen shows it. */
export type OwnStanding = RegisterStanding & {
  facts: RegisterFacts | null
  /** When the register last gave this answer, ISO 8601. */
  answeredAt: string | null
}

/**
 * @param input.isAsked whether this deployment asks a register
 * @returns null without a registration
 */
export async function findOwnStanding(
  db: Database,
  input: { userId: string; isAsked: boolean; now: Date },
): Promise<OwnStanding | null> {
  const registration = await db
    .selectFrom('business_registrations')
    .select(['abn', 'business_name as businessName', 'gst_registered as gstRegistered'])
    .where('user_id', '=', input.userId)
    .executeTakeFirst()
  if (!registration) return null
  const answer = await findLastAnswer(db, registration.abn)
  const standing = standingOf(registration, {
    facts: answer,
    isAsked: input.isAsked,
    today: registerDay(input.now),
  })
  return { ...standing, facts: answer && factsOf(answer), answeredAt: answer?.lastAt.toISOString() ?? null }
}

/** The register's own fields of an answer. */
export function factsOf({
  id: _id,
  firstAt: _firstAt,
  lastAt: _lastAt,
  ...facts
}: StoredAnswer): RegisterFacts {
  return facts
}
