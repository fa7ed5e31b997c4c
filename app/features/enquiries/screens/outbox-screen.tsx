import { Form, href, useNavigation } from 'react-router'
import type { RenderedMail } from '../../../adapters/mail/port.ts'
import { formatInstant, HOME_ZONE } from '../../../shared/dates.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { TextAreaField } from '../../../ui/field.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'

/** Characters of a reply by mail, more than a message may have: the refusal is a mail's too. */
export const MAX_REPLY_LENGTH = 20_000

type OutboxMail = RenderedMail & { messageId: string; sentAt: string }

/** The mails of the demo, and a form that answers those with a reply address. */
export function OutboxScreen({
  mails,
  answered,
}: {
  mails: readonly OutboxMail[]
  answered: { messageId: string | null; text: string } | undefined
}) {
  return (
    <div className="page page-column py-8 md:py-12">
      <h1>Outbox</h1>
      <p className="mt-3 text-quiet">
        The demo sends no email. The emails it would send appear here, newest first.
      </p>
      {mails.length === 0 ? <EmptyState text="No emails yet." /> : null}
      <ol className="mt-6 grid gap-6">
        {mails.map((mail) => (
          <li key={mail.messageId} className="card p-5">
            <h2 className="text-lg">{mail.subject}</h2>
            <p className="text-quiet">
              To {mail.to}, {formatInstant(new Date(mail.sentAt), HOME_ZONE)}
            </p>
            <iframe
              className="mt-4 h-[34rem] w-full rounded-[10px] border border-line"
              src={href('/outbox/:messageId', { messageId: mail.messageId })}
              title={`Email: ${mail.subject}`}
              sandbox="allow-popups allow-popups-to-escape-sandbox"
              loading="lazy"
            />
            <details className="mt-3">
              <summary className="link inline-flex min-h-11 cursor-pointer items-center">Plain text</summary>
              <p className="mt-2 whitespace-pre-wrap break-words">{withLinks(mail.text)}</p>
            </details>
            {mail.replyTo ? (
              <ReplyForm
                messageId={mail.messageId}
                answer={answered?.messageId === mail.messageId ? answered.text : null}
              />
            ) : null}
          </li>
        ))}
      </ol>
    </div>
  )
}

function ReplyForm({ messageId, answer }: { messageId: string; answer: string | null }) {
  const isSending = useNavigation().formData?.get('messageId') === messageId
  return (
    <details className="mt-3" open={answer !== null}>
      <summary className="link inline-flex min-h-11 cursor-pointer items-center">Reply</summary>
      <Form key={answer} method="post" className="mt-2 grid justify-items-start gap-3" preventScrollReset>
        <input type="hidden" name="messageId" value={messageId} />
        <TextAreaField
          name="text"
          label="Reply by email"
          className="w-full"
          rows={3}
          maxLength={MAX_REPLY_LENGTH}
          required
        />
        <Button type="submit" size="small" pending={isSending} pendingText="Sending...">
          Send reply
        </Button>
        <SendFailure />
      </Form>
      {answer ? (
        <p role="status" className="mt-2">
          {answer}
        </p>
      ) : null}
    </details>
  )
}

/** Turns URLs in a mail's text into links, as mail programs do. */
function withLinks(text: string) {
  return text.split(/(https?:\/\/\S+)/).map((part, index) =>
    index % 2 === 1 ? (
      <a key={part} href={part}>
        {part}
      </a>
    ) : (
      part
    ),
  )
}
