import type { SecurityEventKind } from '../app/adapters/accounts/security-log.ts'
import type { Database } from '../app/adapters/database/port.ts'
import { newId } from '../app/shared/ids.ts'
import { HOUR_MS } from '../app/shared/time-units.ts'

/** Inserts what may happen to an account, more than one page of it. @returns the account's id */
export async function fillActivity(db: Database, email: string): Promise<string> {
  const { id: userId } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const events: [kind: SecurityEventKind, detail: string | null, device: string, times?: number][] = [
    ['sign-in', 'password', 'Chrome on Windows'],
    ['sign-in-refused', 'invalid-credential', 'Safari on iPhone', 7],
    ['sign-in-refused', 'too-many-requests', 'Unknown device', 143],
    ['password-reset-asked', null, 'Samsung Internet on Android'],
    ['password-reset', null, 'Samsung Internet on Android'],
    ['email-detached', null, 'Samsung Internet on Android'],
    ['second-factor-on', null, 'Chrome on Windows'],
    ['sign-in', 'recovery-code', 'Chrome on Windows'],
    ['operator-act', 'open-activity', 'Firefox on Linux'],
    ...Array.from(
      { length: 20 },
      () => ['sign-in', 'passkey', 'Safari on Mac'] as ['sign-in', string, string],
    ),
    ['sign-up', null, 'Safari on Mac'],
  ]
  const newest = Date.now() - HOUR_MS
  await db
    .insertInto('security_events')
    .values(
      events.map(([kind, detail, device, times = 1], index) => ({
        id: newId(),
        kind,
        user_id: userId,
        actor_user_id: kind === 'operator-act' ? 'an-operator' : null,
        detail,
        device,
        network: device.startsWith('Safari') ? '2001:db8:4f2::/48' : '203.0.113.0/24',
        times,
        first_at: new Date(newest - index * 5 * HOUR_MS),
        at: new Date(newest - index * 5 * HOUR_MS),
      })),
    )
    .execute()
  return userId
}
