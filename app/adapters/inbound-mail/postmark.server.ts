import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { htmlToText } from './html-text.ts'
import { type InboundMail, MAX_RECEIVED_FILES } from './port.ts'

/** Pictures of an HTML text that are known as such. A newsletter has fewer. */
const MAX_SHOWN_PICTURES = 500

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
        // A phone's mail program may send HTML alone.
        text: mail.TextBody.trim() === '' ? htmlToText(mail.HtmlBody) : mail.TextBody,
        headers: new Map([...byName].map(([name, values]) => [name, values.map(({ Value }) => Value)])),
        files: filesOf(mail).map(({ Name, Content }) => new File([Buffer.from(Content, 'base64')], Name)),
      }
    },
  }
}

type InboundMailFields = z.infer<typeof inboundSchema>

/**
 * The attachments that aren't shown in the HTML text, such as a signature's logo. Gmail gives every attached file a
 * ContentID, so that alone doesn't tell.
 */
function filesOf({ Attachments, HtmlBody }: InboundMailFields): InboundMailFields['Attachments'] {
  const embedded = contentIdsIn(HtmlBody)
  const files: InboundMailFields['Attachments'] = []
  for (const file of Attachments) {
    if (files.length === MAX_RECEIVED_FILES) break
    if (!embedded.has(file.ContentID.replace(/^<|>$/g, ''))) files.push(file)
  }
  return files
}

/** The ids of the pictures that an HTML text shows (RFC 2392), each of which is looked for once. */
function contentIdsIn(html: string): Set<string> {
  const ids = new Set<string>()
  for (const { 0: found } of html.matchAll(/cid:[^\s"'<>)]{1,200}/gi)) {
    if (ids.size === MAX_SHOWN_PICTURES) break
    ids.add(found.slice('cid:'.length))
  }
  return ids
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
