import { mayWrite } from '../../features/accounts/commands.server.ts'
import { deviceName } from '../../features/accounts/rules.ts'
import { listBusinessIdsOfOwner } from '../../features/businesses/owner-queries.server.ts'
import type { PushView } from '../../features/notifications/components/push-devices.tsx'
import { turnOffPush, turnOnPush } from '../../features/notifications/push-commands.server.ts'
import {
  PUSH_OFF,
  PUSH_ON,
  PUSH_PROBLEMS,
  type PushRefusal,
} from '../../features/notifications/push-messages.ts'
import { listPushDevices } from '../../features/notifications/push-queries.server.ts'
import { type PushIntent, pushOnSchema } from '../../features/notifications/schema.ts'
import type { Services } from '../../services.server.ts'
import { agoText } from '../../shared/ago.ts'
import { brokenForm } from '../../shared/body-refusals.ts'

type Asked = { userId: string; sessionId: string }

/** The devices with notifications of a vendor; null for anyone else, and where notifications are off. */
export async function findPush(
  { db, push, realNow }: Pick<Services, 'db' | 'push' | 'realNow'>,
  { userId, sessionId }: Asked,
): Promise<PushView | null> {
  if (!push) return null
  const [devices, businesses] = await Promise.all([
    listPushDevices(db, userId),
    listBusinessIdsOfOwner(db, userId),
  ])
  // A vendor whose last business is gone can still turn a device off.
  if (devices.length === 0 && businesses.length === 0) return null
  return {
    publicKey: push.publicKey,
    devices: devices.map(({ id, device, sessionId: of, createdAt }) => ({
      id,
      device,
      isThis: of === sessionId,
      since: agoText(createdAt, realNow()),
    })),
  }
}

const STATUSES = {
  unusable: 400,
  too_many_devices: 409,
  too_often: 429,
  not_a_vendor: 403,
} as const satisfies Record<PushRefusal, number>

/** Handles a form of the section about notifications on devices. */
export async function changePush(
  services: Pick<Services, 'db' | 'push' | 'rateLimits' | 'realNow'>,
  request: Request,
  { form, intent, userId, sessionId }: Asked & { form: FormData; intent: PushIntent },
): Promise<{ status: number; message: string | null; problem: string | null }> {
  const { db, push, rateLimits, realNow } = services
  if (intent === 'push-off') {
    const isOff = await turnOffPush(db, { userId, id: String(form.get('pushDevice') ?? '') })
    return { status: isOff ? 200 : 404, message: isOff ? PUSH_OFF : null, problem: null }
  }
  const sent = pushOnSchema.safeParse(Object.fromEntries(form))
  if (!sent.success || !push) throw brokenForm()
  const refuse = (reason: PushRefusal) => ({
    status: STATUSES[reason],
    message: null,
    problem: PUSH_PROBLEMS[reason],
  })
  if (!(await mayWrite(rateLimits, userId))) return refuse('too_often')
  if ((await listBusinessIdsOfOwner(db, userId)).length === 0) return refuse('not_a_vendor')
  const { endpoint, p256dh, auth } = sent.data
  const outcome = await turnOnPush(
    { db, push, realNow },
    {
      userId,
      sessionId,
      device: deviceName(request.headers.get('user-agent')),
      target: { endpoint, p256dh, auth },
    },
  )
  return outcome.ok ? { status: 200, message: PUSH_ON, problem: null } : refuse(outcome.reason)
}
