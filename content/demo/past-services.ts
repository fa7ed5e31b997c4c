import type { JobData, JobName, Jobs } from '../../app/adapters/jobs/port.ts'
import type { LiveTopic } from '../../app/adapters/live-updates/port.ts'
import { createOutbox } from '../../app/adapters/mail/outbox.server.ts'
import type { MailMessage } from '../../app/adapters/mail/port.ts'
import { createRenderedMail } from '../../app/adapters/mail/rendered.server.ts'
import { createSandboxProvider } from '../../app/adapters/payments/sandbox.server.ts'
import { withBookingLink } from '../../app/features/bookings/frame-mails.ts'
import { bookingLinkToken } from '../../app/features/bookings/rules.ts'
import { sendingSite } from '../../app/services/deps.server.ts'
import type { Services } from '../../app/services.server.ts'
import { DAY_MS } from '../../app/shared/time-units.ts'

/** The mails of so many last days are in the outbox, with their own times. Older ones were never sent. */
const MAILED_MS = 3 * DAY_MS

/** The product's services at a time in the past. */
export type PastServices = {
  /** For the commands of what happens at the time that `moveTo` has chosen. */
  services: Services
  moveTo(time: Date): void
  /** Sends the mails of the last command, if they are recent. */
  sendMails(): Promise<void>
  /** Tells open pages what has changed since the last call. */
  announce(): Promise<void>
}

/**
 * Creates services whose clock stands in the past. Their sandbox takes payments without webhooks, since each command is
 * followed by what the webhook would do. Live pages are told now and then instead of hundreds of times.
 * @param present the demo's own services
 * @param begunAt when the past ends
 */
export function createPastServices(present: Services, begunAt: Date): PastServices {
  const { config, db, liveUpdates, log, faultPoint } = present
  let time = begunAt
  const now = () => time
  const sandbox = createSandboxProvider({
    db,
    secret: config.secret,
    now,
    realNow: present.realNow,
    // Never called: no event is delivered.
    webhookUrl: () => config.publicUrl.href,
    log,
    faultPoint,
  })
  sandbox.setWebhookFault('never')

  const mails: { name: JobName; data: unknown }[] = []
  const topics = new Set<LiveTopic>()
  const outbox =
    config.mail.kind === 'outbox'
      ? createRenderedMail(createOutbox(config.mail.folder, now), sendingSite(config))
      : null
  const isRecent = () => begunAt.getTime() - time.getTime() <= MAILED_MS

  const jobs: Jobs = {
    ...present.jobs,
    async enqueue(_tx, name, data) {
      if (isRecent()) mails.push({ name, data })
    },
  }
  const services: Services = {
    ...present,
    now,
    jobs,
    liveUpdates: {
      ...liveUpdates,
      async publish(_tx, ...changed) {
        for (const topic of changed) topics.add(topic)
      },
    },
    sandbox,
    payments: sandbox,
    payouts: present.payouts && sandbox.payouts,
  }
  return {
    services,
    moveTo(next) {
      time = next
    },
    async sendMails() {
      for (const { name, data } of mails.splice(0)) {
        const message = await readMail(config.secret, name, data)
        if (message) await outbox?.send(message)
      }
    },
    async announce() {
      const changed = [...topics]
      topics.clear()
      if (changed.length > 0) await db.transaction().execute((tx) => liveUpdates.publish(tx, ...changed))
    },
  }
}

/** The mail that a job would send; null for other jobs, and for what goes to operators. */
async function readMail(secret: string, name: JobName, data: unknown): Promise<MailMessage | null> {
  if (name === 'send-booking-mail') {
    const mail = data as JobData['send-booking-mail']
    return withBookingLink(mail, await bookingLinkToken(secret, mail.paymentId))
  }
  if (name !== 'send-mail') return null
  const { preference: _, preferenceOf: __, ...message } = data as JobData['send-mail']
  return message
}
