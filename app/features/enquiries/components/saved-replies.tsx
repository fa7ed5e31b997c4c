import { useId, useRef } from 'react'
import { useFetcher } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { TextAreaField, TextField } from '../../../ui/field.tsx'
import { useKeptFocus } from '../../../ui/kept-focus.ts'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useAnswer } from '../../../ui/use-answer.ts'
import { MAX_SAVED_REPLY_TITLE, type SavedReply } from '../rules.ts'
import type { ChangeAnswer } from './conversation-pane.tsx'

/** The vendor's saved replies: each can be changed or deleted, and another added. */
export function SavedReplies({
  replies,
  answered,
}: {
  replies: readonly SavedReply[]
  answered: ChangeAnswer | undefined
}) {
  const list = useKeptFocus<HTMLUListElement>()
  return (
    <details className="mt-8 max-w-column border-t border-line pt-4">
      <summary className="link inline-flex min-h-11 cursor-pointer items-center">
        Saved replies{replies.length > 0 ? ` (${replies.length})` : null}
      </summary>
      <p className="mt-2 text-quiet">
        Answers that you often give. Insert one into a message, then change it as you like.
      </p>
      <ul ref={list} className="mt-4 grid gap-6">
        {replies.map((reply) => (
          <li key={reply.id}>
            <ReplyForm reply={reply} answered={answered} />
          </li>
        ))}
        <li key="new">
          <ReplyForm reply={null} answered={answered} />
        </li>
      </ul>
    </details>
  )
}

function ReplyForm({ reply, answered }: { reply: SavedReply | null; answered: ChangeAnswer | undefined }) {
  const fetcher = useFetcher<ChangeAnswer>()
  const form = useRef<HTMLFormElement>(null)
  const id = useId()
  useAnswer(
    fetcher,
    ({ ok, message, errors }) => {
      if (!errors) showToast({ type: ok ? 'success' : 'error', text: message })
      if (ok && !reply) form.current?.reset()
    },
    { isEarly: true },
  )
  const errors = (fetcher.data ?? (reply ? undefined : answered))?.errors
  const isPending = fetcher.state === 'submitting'
  return (
    <fetcher.Form ref={form} method="post" className="grid gap-4 rounded-card bg-sunk p-4" noValidate>
      {reply ? <input type="hidden" name="id" value={reply.id} /> : null}
      <TextField
        id={`${id}-title`}
        name="title"
        label={reply ? 'Name' : 'Name of a new reply'}
        defaultValue={reply?.title}
        maxLength={MAX_SAVED_REPLY_TITLE}
        error={errors?.title}
        autoComplete="off"
      />
      <TextAreaField
        id={`${id}-body`}
        name="body"
        label="Text"
        rows={3}
        defaultValue={reply?.body}
        error={errors?.body}
      />
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          name="intent"
          value="save-reply"
          variant="brand"
          size="small"
          waiting={isPending}
        >
          {reply ? 'Save' : 'Add reply'}
        </Button>
        {reply ? (
          <Button type="submit" name="intent" value="delete-reply" size="small" waiting={isPending}>
            Delete
          </Button>
        ) : null}
      </div>
      <SendFailure />
    </fetcher.Form>
  )
}
