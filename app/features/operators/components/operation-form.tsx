import { useContext, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import type { ConfirmOptions } from '../../../ui/confirm-dialog.tsx'
import { useDialogs } from '../../../ui/dialog.tsx'
import { SelectField, TextAreaField, TextField } from '../../../ui/field.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useAnswer } from '../../../ui/use-answer.ts'
import { PROOF_LABEL } from '../../accounts/messages.ts'
import { type ACTS, type ActName, actOf } from '../act-rules.ts'
import type { Act } from '../act-schema.ts'
import { OperatorProof, useMay } from './operator-role.tsx'

/** The result of an operation, for the operator; `errors` belong to its fields. */
export type OperationAnswer = {
  ok: boolean
  message: string
  errors?: Record<string, string>
  /** The operator has to prove who they are first. What they typed stays in the form. */
  asksAgain?: { byPasskey: boolean }
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

/** The parts of a field that depend on the page: an amount in the hint, the options, the initial choice. */
type FieldNote = {
  hint?: string
  defaultValue?: string
  options?: readonly { value: string; label: string }[]
}

type FieldName<Name extends ActName> = (typeof ACTS)[Name] extends { fields: infer Fields }
  ? keyof Fields
  : never

export type OperationFormProps<Name extends ActName> = {
  act: Name
  /** The id of what it is about. */
  id?: string
  /** The name of the button, if it says what it is about. */
  label?: string
  /** Added to the button's name for screen readers, where a page has the act several times. */
  about?: string
  /** Notes on the act's fields; null leaves one out. */
  fields?: { readonly [Field in FieldName<Name>]?: FieldNote | null }
  /** Sent beside the fields. */
  values?: { readonly [Value in keyof (typeof ACTS)[Name]['input']]?: string }
  /** Replaces parts of the act's question, or asks one for an act without. */
  question?: Partial<ConfirmOptions>
}

/** One act: a button, preceded by the fields that it needs. Not shown to operators whose role isn't enough. */
export function OperationForm<Name extends ActName>({
  act: name,
  id,
  label,
  about,
  fields: notes = {},
  values = {},
  question: asked,
}: OperationFormProps<Name>) {
  const fetcher = useFetcher<OperationAnswer>()
  const dialogs = useDialogs()
  const details = useRef<HTMLDetailsElement>(null)
  // A live page changes under an open form, which still sends the values that its operator saw on opening it.
  const [held, setHeld] = useState<typeof values | null>(null)
  const may = useMay()
  useAnswer(
    fetcher,
    ({ ok, errors = {}, message }) => {
      if (Object.keys(errors).length === 0) showToast({ type: ok ? 'success' : 'error', text: message })
      // The refusal says what has changed since.
      if (!ok) setHeld(null)
      if (!ok || !details.current) return
      details.current.open = false
      // The act has been done. Opened again, the form asks for the next amount and reason.
      details.current.querySelector('form')?.reset()
    },
    { isEarly: true },
  )

  if (!may(name)) return null
  const act = actOf(name)
  const button = label ?? act.button
  const question =
    act.question || asked ? { title: button, confirmLabel: button, ...act.question, ...asked } : null
  const fields = fieldsOf(act, notes)
  const unseen = about ? <span className="unseen">: {about}</span> : null
  const form = (
    <fetcher.Form
      method="post"
      className="grid gap-4"
      onSubmit={
        question
          ? async (event) => {
              event.preventDefault()
              const form = event.currentTarget
              if (await dialogs.confirm(question)) await fetcher.submit(form)
            }
          : undefined
      }
    >
      <input type="hidden" name="intent" value={name} />
      {id ? <input type="hidden" name="id" value={id} /> : null}
      {Object.entries<string | undefined>(held ?? values).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {fields.map((field) => {
        const error = fetcher.data?.errors?.[field.name]
        if ('options' in field) return <SelectField key={field.name} {...field} error={error} />
        const { isOptional = false, rows, ...rest } = field
        if (rows)
          return <TextAreaField key={field.name} {...rest} rows={rows} error={error} required={!isOptional} />
        return (
          <TextField key={field.name} {...rest} error={error} required={!isOptional} autoComplete="off" />
        )
      })}
      <OperationProof answer={fetcher.data} />
      <Button
        type="submit"
        variant={act.look ?? 'secondary'}
        className="justify-self-start"
        pending={fetcher.state !== 'idle'}
        pendingText={act.pending}
      >
        {button}
        {unseen}
      </Button>
      <SendFailure />
    </fetcher.Form>
  )
  if (fields.length === 0) return form
  return (
    <details
      ref={details}
      className="w-full max-w-column"
      onToggle={({ currentTarget }) => setHeld(currentTarget.open ? values : null)}
    >
      <summary className="link inline-flex min-h-11 cursor-pointer items-center">
        {button}…{unseen}
      </summary>
      <div className="mt-2 rounded-card bg-sunk p-4">{form}</div>
    </details>
  )
}

/** The fields of an act on a page, in the order of the act. */
function fieldsOf(act: Act, notes: Readonly<Record<string, FieldNote | null | undefined>>) {
  return Object.entries(act.fields ?? {}).flatMap(([name, field]) => {
    const note = notes[name]
    return note === null ? [] : [{ name, ...field, ...note }]
  })
}
