import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { InboundMail } from './port.ts'

// Postmark documents empty texts and lists, and its API answers with null in places.
const text = z
  .string()
  .nullish()
  .transform((given) => given ?? '')
const listOf = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .nullish()
    .transform((given) => given ?? [])
const recipients = listOf(z.object({ Email: text }))

/** The fields of Postmark's inbound webhook that we read. It adds others. */
const inboundSchema = z.object({
  MessageID: z.string().min(1).max(200),
  OriginalRecipient: text,
  ToFull: recipients,
  CcFull: recipients,
  BccFull: recipients,
  TextBody: text,
  HtmlBody: text,
  Headers: listOf(z.object({ Name: z.string(), Value: text })),
  Attachments: listOf(z.object({ Name: text, Content: text, ContentID: text })),
})

/**
 * Reads the mails that Postmark receives. Postmark signs nothing: it sends the user and password of the webhook's
 * address (https://user:password@…).
 */
export function createPostmarkInbound({ user, password }: { user: string; password: string }): InboundMail {
  const expected = Buffer.from(`Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`)
  const isGenuine = (headers: Headers) => {
    const given = Buffer.from(headers.get('authorization') ?? '')
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
  return {
    isGenuine,
    read(rawBody, headers) {
      if (!isGenuine(headers)) return 'forged'
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
        // A picture that the HTML text shows is part of it, such as a signature's logo. Gmail gives every attached file a
        // ContentID, so that alone doesn't tell.
        files: mail.Attachments.filter(
          ({ ContentID }) => !ContentID || !mail.HtmlBody.includes(`cid:${ContentID.replace(/^<|>$/g, '')}`),
        ).map(({ Name, Content }) => new File([Buffer.from(Content, 'base64')], Name)),
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
