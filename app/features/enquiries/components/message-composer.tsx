import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useMemo, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import { newId } from '../../../shared/ids.ts'
import { Button } from '../../../ui/button.tsx'
import { FieldError } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { setTyped } from '../../../ui/set-typed.ts'
import { useAnswer } from '../../../ui/use-answer.ts'
import { messageDraft } from '../browser/message-draft.ts'
import { COMPOSER_ID, FILES_LOST } from '../conversation-messages.ts'
import type { SavedReply } from '../rules.ts'
import { FileField } from './file-field.tsx'
import './message-composer.css'

/** The response to a sent message. Errors belong to its fields; `body` is the refused text. */
export type SendAnswer =
  | { intent: 'send'; ok: true }
  | {
      intent: 'send'
      ok: false
      /** Why the whole message was refused. */
      refusal: string | null
      errors: { body?: string; files?: string }
      body: string
    }

/**
 * The form for the next message. The text is kept in the tab until it is sent; Ctrl or Command with Enter sends it.
 * @param draftKey the conversation's id, or the token of its link
 * @param submitKey the form's key of this page; each sent message is followed by a new one
 * @param answered the response to a form that was sent without JavaScript
 * @param notice above the text, such as why nothing can be sent any more
 * @param isOff whether nothing can be sent: only a text that is already typed then stays
 * @param tools beside the files, such as a step to another form
 * @param savedReplies texts to insert
 */
export function MessageComposer({
  draftKey,
  submitKey,
  answered,
  otherName,
  notice = null,
  isOff = false,
  tools,
  savedReplies = [],
  onSent,
}: {
  draftKey: string
  submitKey: string
  answered: SendAnswer | undefined
  otherName: string
  notice?: ReactNode
  isOff?: boolean
  tools?: ReactNode
  savedReplies?: readonly SavedReply[]
  onSent?: () => void
}) {
  const { fetcher, form, text, ...message } = useMessage({ draftKey, submitKey, answered, onSent })
  const { isSending, refused } = message
  const isShown = !isOff || message.hasText || refused !== null
  return (
    <div className="composer">
      {notice}
      {refused?.refusal ? (
        <div role="alert">
          <FieldError id={`${COMPOSER_ID}-refusal`} message={refused.refusal} />
        </div>
      ) : null}
      {isShown ? (
        <fetcher.Form ref={form} method="post" encType="multipart/form-data" noValidate>
          <input type="hidden" name="intent" value="send" />
          <input type="hidden" name="submitKey" value={message.key} />
          <MessageText
            ref={text}
            otherName={otherName}
            refused={refused}
            isSending={isSending}
            onInput={message.keep}
            onSend={() => form.current?.requestSubmit()}
          />
          <div className="composer-row">
            <FileField
              id={`${COMPOSER_ID}-files`}
              error={refused?.errors.files ?? (message.hasLostFiles ? FILES_LOST : undefined)}
              isCompact
            />
            {savedReplies.length > 0 ? (
              <SavedReplyChoice
                replies={savedReplies}
                onChoose={(reply) => insertReply(text.current, reply)}
              />
            ) : null}
            {tools}
            <Button
              type="submit"
              variant="primary"
              className="composer-send"
              icon={<Icon name="send-horizontal" />}
              pending={isSending}
              pendingText="Sending..."
            >
              Send
            </Button>
          </div>
          <SendFailure />
        </fetcher.Form>
      ) : null}
    </div>
  )
}

/**
 * The message that is being written: its draft, kept in the tab, and the response to sending it.
 * @returns `key`: the form's key, new after each sent message; `keep`: takes the text at each input; `refused`: the
 * refusal of the last one, null while another is sent; `hasLostFiles`: whether the page came back without its files
 */
function useMessage({
  draftKey,
  submitKey,
  answered,
  onSent,
}: {
  draftKey: string
  submitKey: string
  answered: SendAnswer | undefined
  onSent: (() => void) | undefined
}) {
  const fetcher = useFetcher<SendAnswer>()
  const form = useRef<HTMLFormElement>(null)
  const text = useRef<HTMLTextAreaElement>(null)
  const [key, setKey] = useState(submitKey)
  const [hasText, setHasText] = useState(false)
  const draft = useMemo(() => messageDraft(draftKey), [draftKey])
  const isSending = fetcher.state === 'submitting'
  const answer = isSending ? undefined : (fetcher.data ?? answered)
  const refused = answer && !answer.ok ? answer : null

  useEffect(() => {
    const kept = draft.read()
    if (!text.current || !kept?.body) return
    // Text that was typed before this script ran is newer.
    if (!text.current.value) setTyped(text.current, kept.body)
    if (kept.submitKey) setKey(kept.submitKey)
  }, [draft])

  useAnswer(
    fetcher,
    (sent) => {
      if (!sent.ok) return text.current?.focus()
      draft.forget()
      form.current?.reset()
      if (text.current) {
        text.current.value = ''
        // For the next message, unless the person has gone elsewhere meanwhile.
        if (form.current?.contains(document.activeElement)) text.current.focus()
      }
      setHasText(false)
      setKey(newId())
      onSent?.()
    },
    { isEarly: true },
  )

  const keep = (body: string) => {
    setHasText(body !== '')
    if (body) draft.keep({ body, submitKey: key })
    else draft.forget()
  }
  const hasLostFiles = refused !== null && fetcher.data === undefined
  return { fetcher, form, text, key, hasText, isSending, refused, hasLostFiles, keep }
}

/** The text of the message, with its error. Ctrl or Command with Enter sends it. */
function MessageText({
  ref,
  otherName,
  refused,
  isSending,
  onInput,
  onSend,
}: {
  ref: Ref<HTMLTextAreaElement>
  otherName: string
  refused: Extract<SendAnswer, { ok: false }> | null
  isSending: boolean
  onInput: (body: string) => void
  onSend: () => void
}) {
  const error = refused?.errors.body
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || isSending) return
    event.preventDefault()
    onSend()
  }
  return (
    <>
      <label className="unseen" htmlFor={COMPOSER_ID}>
        Message to {otherName}
      </label>
      <textarea
        ref={ref}
        id={COMPOSER_ID}
        name="body"
        className="control"
        rows={1}
        placeholder="Write a message"
        defaultValue={refused?.body}
        readOnly={isSending}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${COMPOSER_ID}-error` : undefined}
        aria-keyshortcuts="Control+Enter Meta+Enter"
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <FieldError id={`${COMPOSER_ID}-error`} message={error} />
    </>
  )
}

/** Inserts a saved reply below the typed text, and moves the focus there. */
function insertReply(text: HTMLTextAreaElement | null, reply: SavedReply): void {
  if (!text) return
  const typed = text.value.trimEnd()
  setTyped(text, typed ? `${typed}\n\n${reply.body}` : reply.body)
  text.focus()
}

/** The choice of a saved reply to insert. */
function SavedReplyChoice({
  replies,
  onChoose,
}: {
  replies: readonly SavedReply[]
  onChoose: (reply: SavedReply) => void
}) {
  return (
    <div className="select composer-replies">
      <select
        aria-label="Insert a saved reply"
        className="control"
        value=""
        onChange={(event) => {
          const chosen = replies.find(({ id }) => id === event.currentTarget.value)
          if (chosen) onChoose(chosen)
        }}
      >
        <option value="">Saved replies</option>
        {replies.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" />
    </div>
  )
}
