import { useContext, useRef } from 'react'
import { useFetcher } from 'react-router'
import { Button, type ButtonVariant } from '../../../ui/button.tsx'
import type { ConfirmOptions } from '../../../ui/confirm-dialog.tsx'
import { useDialogs } from '../../../ui/dialog.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useAnswer } from '../../../ui/use-answer.ts'
import { PROOF_LABEL } from '../../accounts/messages.ts'
import { MAX_REASON_LENGTH } from '../messages.ts'
import type { Operation } from '../schema.ts'
import { OperatorProof, useMay } from './operator-role.tsx'

/** The result of an operation, for the operator; `errors` belong to its fields. */
export type OperationAnswer = {
  ok: boolean
  message: string
  errors?: Record<string, string>
  /** The operator has to prove who they are first. What they typed stays in the form. */
  asksAgain?: { byPasskey: boolean }
}

/** A field to fill in before the operation. */
export type OperationField =
  | {
      name: 'amount' | 'reference' | 'reason' | 'rate' | 'vendor' | 'email'
      label: string
      /** Says who will read it, or how to type it. */
      hint: string
      maxLength: number
      inputMode?: 'decimal'
      /** Whether it may be left empty. */
      isOptional?: boolean
    }
  | {
      name: 'block' | 'borneBy' | 'category' | 'refund' | 'role'
      label: string
      hint: string
      /** The option that is chosen first. */
      defaultValue?: string
      options: readonly { value: string; label: string }[]
    }

/** The field of a form whose operation waits for a fresh proof. */
export function OperationProof({ answer, id }: { answer: OperationAnswer | undefined; id?: string }) {
  const passkeyProof = useContext(OperatorProof)
  if (!answer?.asksAgain) return null
  return (
    <>
      <TextField
        {...(id ? { id } : {})}
        label={PROOF_LABEL}
        name="proof"
        type="password"
        autoComplete="current-password"
        error={answer.errors?.proof}
        required
      />
      {answer.asksAgain.byPasskey ? passkeyProof : null}
    </>
  )
}

/**
 * One operation: a button, preceded by the fields that it needs. Not shown to operators whose role isn't enough.
 * @param values sent beside the fields
 */
export function OperationForm({
  intent,
  id,
  label,
  pendingLabel,
  variant = 'secondary',
  reason,
  fields = reason ? [{ ...reason, name: 'reason', maxLength: MAX_REASON_LENGTH }] : [],
  values = {},
  confirm,
}: {
  intent: Operation['intent']
  id?: string
  label: string
  pendingLabel: string
  variant?: ButtonVariant
  /** The reason to enter first; the hint says who will read it. */
  reason?: { label: string; hint: string }
  fields?: readonly OperationField[]
  values?: Readonly<Record<string, string>>
  /** A question before a step that can't be undone. */
  confirm?: ConfirmOptions
}) {
  const fetcher = useFetcher<OperationAnswer>()
  const dialogs = useDialogs()
  const details = useRef<HTMLDetailsElement>(null)
  const may = useMay()
  useAnswer(
    fetcher,
    ({ ok, errors = {}, message }) => {
      if (Object.keys(errors).length === 0) showToast({ type: ok ? 'success' : 'error', text: message })
      if (!ok || !details.current) return
      details.current.open = false
      // What was typed has been done. Opened again, the form asks for the next amount and reason.
      details.current.querySelector('form')?.reset()
    },
    { isEarly: true },
  )

  if (!may(intent)) return null
  const form = (
    <fetcher.Form
      method="post"
      className="grid gap-4"
      onSubmit={
        confirm &&
        (async (event) => {
          event.preventDefault()
          const form = event.currentTarget
          if (await dialogs.confirm(confirm)) await fetcher.submit(form)
        })
      }
    >
      <input type="hidden" name="intent" value={intent} />
      {id ? <input type="hidden" name="id" value={id} /> : null}
      {Object.entries(values).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {fields.map((field) => {
        const error = fetcher.data?.errors?.[field.name]
        if ('options' in field) return <SelectField key={field.name} {...field} error={error} />
        const { isOptional = false, ...rest } = field
        return (
          <TextField key={field.name} {...rest} error={error} required={!isOptional} autoComplete="off" />
        )
      })}
      <OperationProof answer={fetcher.data} />
      <Button
        type="submit"
        variant={variant}
        className="justify-self-start"
        pending={fetcher.state !== 'idle'}
        pendingText={pendingLabel}
      >
        {label}
      </Button>
      <SendFailure />
    </fetcher.Form>
  )
  if (fields.length === 0) return form
  return (
    <details ref={details} className="w-full max-w-column">
      <summary className="link inline-flex min-h-11 cursor-pointer items-center">{label}…</summary>
      <div className="mt-2 rounded-card bg-sunk p-4">{form}</div>
    </details>
  )
}
