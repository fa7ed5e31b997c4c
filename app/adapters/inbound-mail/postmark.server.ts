import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { InboundMail } from './port.ts'

const recipients = z.array(z.object({ Email: z.string() })).default([])

/** The fields of Postmark's inbound webhook that we read. It adds others. */
const inboundSchema = z.object({
  MessageID: z.string().min(1).max(200),
  OriginalRecipient: z.string().default(''),
  ToFull: recipients,
  CcFull: recipients,
  BccFull: recipients,
  TextBody: z.string().default(''),
  Headers: z.array(z.object({ Name: z.string(), Value: z.string() })).default([]),
  Attachments: z
    .array(z.object({ Name: z.string(), Content: z.string(), ContentID: z.string().nullish() }))
    .default([]),
})

/**
 * Reads the mails that Postmark receives. Postmark signs nothing: it sends the user and password of the webhook's
 * address (https://user:password@…).
 */
export function createPostmarkInbound({ user, password }: { user: string; password: string }): InboundMail {
  const expected = Buffer.from(`Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`)
  return {
    read(rawBody, headers) {
      const given = Buffer.from(headers.get('authorization') ?? '')
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'forged'
      const mail = inboundSchema.safeParse(parseJson(rawBody)).data
      if (!mail) return null
      const byName = Map.groupBy(mail.Headers, ({ Name }) => Name.toLowerCase())
      return {
        id: mail.MessageID,
        // OriginalRecipient is the envelope's: a reply in blind copy has no other.
        to: [
          mail.OriginalRecipient,
          ...[...mail.ToFull, ...mail.CcFull, ...mail.BccFull].map(({ Email }) => Email),
        ].map((address) => address.toLowerCase()),
        text: mail.TextBody,
        headers: new Map([...byName].map(([name, values]) => [name, values.map(({ Value }) => Value)])),
        // A picture with a ContentID is part of the HTML text, such as a signature's logo.
        files: mail.Attachments.filter(({ ContentID }) => !ContentID).map(
          ({ Name, Content }) => new File([Buffer.from(Content, 'base64')], Name),
        ),
      }
    },
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
