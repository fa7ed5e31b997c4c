import { type FieldMetadata, getFormProps, getInputProps, type SubmissionResult } from '@conform-to/react'
import { type ReactNode, type RefObject, useState } from 'react'
import { Form, useNavigation, useSubmit } from 'react-router'
import type { z } from 'zod'
import type { AccountStep } from '../../../adapters/accounts/browser-port.ts'
import type { AccountCode } from '../../../adapters/accounts/codes.ts'
import { Button, type ButtonVariant } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { FormSummary } from '../../../ui/form-summary.tsx'
import { useSchemaForm } from '../../../ui/schema-form.ts'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { accountWording, CURRENT_PASSWORD_WRONG, LINK_PASSWORD_WRONG } from '../messages.ts'
import type { PasswordPolicy } from '../rules.ts'
import { useHostedStep } from './hosted-sign-in.tsx'
import { PasswordField } from './password-field.tsx'

export type AccountField = {
  name: string
  label: string
  type: 'text' | 'email' | 'tel' | 'password'
  autoComplete: string
  /** The keyboard of a phone. */
  inputMode?: 'numeric'
  hint?: string
  defaultValue?: string
  optional?: boolean
  /** A new password: its requirements are ticked off while it is typed. */
  policy?: PasswordPolicy
}

/** The server's refusal of an account form; undefined while there is none. */
export type AccountResult = SubmissionResult | undefined

type AccountFormProps = {
  fields: readonly AccountField[]
  schema: z.ZodType
  lastResult: AccountResult
  submitLabel: string
  pendingLabel: string
  variant?: ButtonVariant
  /** The form's step at the hosted service, done first. Without a hosted service it changes nothing. */
  step?: AccountStep
  /** Sent along as 'intent'. */
  intent?: string
  /** The form's id, where several forms of a screen have one intent. */
  formId?: string
  /** Gives the screen's main form a large button. By default, a form without `intent` is the main one. */
  isMain?: boolean
  action?: string
  hidden?: Record<string, string>
  /** The account's address, for password managers: they store the new password under it. It isn't sent. */
  username?: string | undefined
  formRef?: RefObject<HTMLFormElement | null>
  /** Between the fields and the button. */
  children?: ReactNode
}

/**
 * The form of the account screens: fields checked by the same schema on both sides, an error summary, one button. Works
 * before the script has loaded. `intent` distinguishes several forms on one screen.
 */
export function AccountForm({
  fields,
  schema,
  lastResult,
  submitLabel,
  pendingLabel,
  variant = 'primary',
  step,
  intent,
  formId = intent,
  isMain = intent === undefined,
  action,
  hidden = {},
  username,
  formRef,
  children,
}: AccountFormProps) {
  const { form, formFields, attempt, wasPressed, countPress, pending, result } = useAccountForm({
    fields,
    schema,
    lastResult,
    step,
    intent,
    formId,
    action,
  })
  const errors = [
    ...(form.errors ?? []).map((message) => ({ message })),
    ...fields.flatMap((field) => {
      const meta = formFields[field.name]
      return meta?.errors ? [{ fieldId: meta.id, label: field.label, message: meta.errors[0] ?? '' }] : []
    }),
  ]
  return (
    <Form
      method="post"
      {...getFormProps(form)}
      {...(formRef ? { ref: formRef } : {})}
      {...(action ? { action } : {})}
      preventScrollReset={intent !== undefined}
      className="grid gap-5"
    >
      {wasPressed || result ? <FormSummary errors={errors} attempt={attempt} /> : null}
      {Object.entries(intent ? { ...hidden, intent } : hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {username ? <input type="email" autoComplete="username" value={username} readOnly hidden /> : null}
      {fields.map((field) => {
        const meta = formFields[field.name]
        return meta ? <Field key={field.name} field={field} meta={meta} /> : null
      })}
      {children}
      <Button
        type="submit"
        variant={variant}
        size={isMain ? 'large' : 'medium'}
        wide={isMain}
        className={isMain ? undefined : 'justify-self-start'}
        pending={pending}
        pendingText={pendingLabel}
        onClick={countPress}
      >
        {submitLabel}
      </Button>
      <SendFailure lostText={accountWording['network-request-failed']} />
    </Form>
  )
}

/** Holds the form's fields. With a hosted service, its step runs before the form is sent. */
function useAccountForm({
  fields,
  schema,
  lastResult,
  step,
  intent,
  formId,
  action,
}: Pick<AccountFormProps, 'fields' | 'schema' | 'lastResult' | 'step' | 'intent' | 'formId' | 'action'>) {
  const navigation = useNavigation()
  const submit = useSubmit()
  const carryOut = useHostedStep()
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<SubmissionResult | null>(null)
  const result = refusal ?? lastResult
  const pending =
    busy || (navigation.formMethod === 'POST' && (navigation.formData?.get('intent') ?? undefined) === intent)
  const {
    form,
    fields: formFields,
    attempt,
    wasPressed,
    countPress,
  } = useSchemaForm<Record<string, string>, unknown>({
    ...(formId ? { id: formId } : {}),
    schema,
    lastResult: result,
    pending: navigation.state !== 'idle' || busy,
    defaultValue: Object.fromEntries(fields.map(({ name, defaultValue }) => [name, defaultValue])),
    ...(step && carryOut
      ? {
          async onSubmit(event, { formData, submission }) {
            event.preventDefault()
            if (busy) return
            setBusy(true)
            setRefusal(null)
            const options = { method: 'post', preventScrollReset: intent !== undefined } as const
            const answer = await carryOut(step, formData, (proved) =>
              submit(proved, action ? { ...options, action } : options),
            )
            setBusy(false)
            if (!answer.ok) setRefusal(submission?.reply(toRefusal(step, answer.reason, formData)) ?? null)
          },
        }
      : {}),
    checkedOnBlur: true,
  })
  return { form, formFields, attempt, wasPressed, countPress, pending, result }
}

function Field({
  field: { label, type, autoComplete, inputMode, hint, optional, policy },
  meta,
}: {
  field: AccountField
  meta: FieldMetadata<string, Record<string, string>>
}) {
  const common = {
    label,
    error: meta.errors,
    control: getInputProps(meta, { type }),
    autoComplete,
    ...(inputMode ? { inputMode } : {}),
    ...(hint ? { hint } : {}),
    ...(optional ? { optional } : {}),
  }
  return type === 'password' ? (
    <PasswordField {...common} policy={policy} />
  ) : (
    <TextField {...common} type={type} />
  )
}

/** Words and places a refusal of the hosted service as our own server would. */
function toRefusal(step: AccountStep, reason: AccountCode, form: FormData) {
  const hideFields = ['password', 'currentPassword', 'newPassword'] as never
  // At a login, the place of this refusal would reveal that the address has an account.
  if (reason !== 'wrong-password' || step === 'sign-in')
    return { formErrors: [accountWording[reason]], hideFields }
  const field = form.has('currentPassword') ? 'currentPassword' : 'password'
  const message = step === 'confirm-email' ? LINK_PASSWORD_WRONG : CURRENT_PASSWORD_WRONG
  return { fieldErrors: { [field]: [message] }, hideFields }
}
