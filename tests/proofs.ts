import type { Database } from '../app/adapters/database/port.ts'

/**
 * Moves the sign-ins and proofs of people into the past, so that sensitive acts ask again after ten minutes.
 * @param of the person's address; everybody's without one
 */
export async function ageProofs(db: Database, minutes: number, of?: string): Promise<void> {
  const at = new Date(Date.now() - minutes * 60_000)
  const people = db.selectFrom('users').select('id')
  const whose = of === undefined ? people : people.where('email', '=', of)
  for (const column of ['created_at', 'proved_at', 'factor_proved_at'] as const)
    await db
      .updateTable('sessions')
      .set({ [column]: at })
      .where('user_id', 'in', whose)
      .where(column, 'is not', null)
      .execute()
}
