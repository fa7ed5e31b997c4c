import { type ReactNode, useState } from 'react'
import { Form, href, useNavigation } from 'react-router'
import { formatMoney } from '../../../shared/money.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { FormSummary } from '../../../ui/form-summary.tsx'
import { RadioChoices } from '../../../ui/radio-choices.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { useMounted } from '../../../ui/use-mounted.ts'
import type { WaitingRefund } from '../../payments/refund-account-commands.server.ts'
import type { RefundAccountField } from '../../payments/refund-account-rules.ts'
import { BookingNotFound } from '../components/booking-not-found.tsx'

/** The response to a named account. What was typed comes back with an error alone. */
export type RefundAccountAnswer = {
  isDone: boolean
  refusal: keyof typeof REFUSALS | null
  errors: Partial<Record<RefundAccountField, string>>
  typed: Partial<Record<string, string>>
  /** The whole account once it is stored, so that its customer can check it; null otherwise. */
  stored: string | null
}

const REFUSALS = {
  not_found: 'We can’t find this booking. Open the link in your email again.',
  nothing_waits: 'This refund doesn’t wait for an account any more. There is nothing you need to do.',
  too_often: 'You’ve changed it often in a short time. Try again in ten minutes.',
} as const

const LABELS: Record<RefundAccountField, string> = {
  kind: 'How should we send it?',
  name: 'Name of the account',
  payId: 'PayID',
  bsb: 'BSB',
  account: 'Account number',
}

const KINDS = [
  { value: 'payid', label: 'PayID', hint: 'The mobile number, email or ABN that you use at your bank.' },
  {
    value: 'account',
    label: 'BSB and account number',
    hint: 'An account at an Australian bank, in your name.',
  },
] as const

/** Asks a customer for an account, for a refund that their bank has sent back. */
export function RefundAccountScreen({
  waiting,
  answer,
  linkToken,
}: {
  /** Null for an unknown link. */
  waiting: WaitingRefund | null
  answer: RefundAccountAnswer | undefined
  linkToken: string
}) {
  const back = <ButtonLink to={href('/bookings/:linkToken', { linkToken })}>See your booking</ButtonLink>
  if (!waiting) return <BookingNotFound />
  const amount = formatMoney(waiting.amountCents)
  if (waiting.amountCents === 0) {
    return (
      <div className="page page-column section">
        <title>Nothing waits for you</title>
        <h1>Nothing waits for you</h1>
        <p className="lede mt-5 mb-8">
          No refund of your booking with {waiting.businessName} waits for an account.
        </p>
        {back}
      </div>
    )
  }
  return (
    <div className="page page-column section">
      <title>{`Where should we send ${amount}?`}</title>
      <h1>Where should we send {amount}?</h1>
      <p className="lede mt-5 [overflow-wrap:anywhere]">
        Your bank didn’t accept the refund for {waiting.businessName} to your card. Choose where it goes
        instead.
      </p>
      {waiting.masked ? (
        <p className="mt-6 [overflow-wrap:anywhere]" role={answer?.isDone ? 'status' : undefined}>
          <strong>We’ll send it to {answer?.stored ? answer.stored : `your ${waiting.masked}`}.</strong>{' '}
          {answer?.stored ? 'Check every digit. ' : null}To use another account, enter it below.
        </p>
      ) : null}
      {answer?.refusal ? (
        <div className="mt-6">
          <Banner tone="error">{REFUSALS[answer.refusal]}</Banner>
        </div>
      ) : null}
      {/* A stored account empties the form. */}
      <AccountForm key={answer?.stored ?? 'typed'} answer={answer} back={back} />
      <p className="mt-6 max-w-prose text-sm text-quiet">
        We store it encrypted, open it only to pay you, and delete it once you’re paid. We never ask for bank
        details by email or phone.
      </p>
    </div>
  )
}

function AccountForm({ answer, back }: { answer: RefundAccountAnswer | undefined; back: ReactNode }) {
  const navigation = useNavigation()
  const { errors = {}, typed = {} } = answer ?? {}
  const [kind, setKind] = useState(typed.kind ?? '')
  // Without JavaScript, both kinds of fields are there.
  const isMounted = useMounted()
  const shows = (one: string) => !isMounted || kind === one
  const field = (name: Exclude<RefundAccountField, 'kind'>) => ({
    id: name,
    name,
    label: LABELS[name],
    defaultValue: typed[name],
    error: errors[name],
    autoComplete: 'off',
  })
  return (
    <Form method="post" className="mt-8 grid gap-6" noValidate>
      <FormSummary
        errors={Object.entries(errors).map(([name, message]) => ({
          fieldId: name,
          label: LABELS[name as RefundAccountField],
          message,
        }))}
        attempt={answer}
      />
      <RadioChoices
        legend={LABELS.kind}
        name="kind"
        id="kind"
        options={KINDS}
        value={kind}
        error={errors.kind ? [errors.kind] : undefined}
        onChange={setKind}
      />
      {shows('payid') ? (
        <TextField {...field('payId')} hint="Such as 0412 345 678 or kim@example.com." maxLength={254} />
      ) : null}
      {shows('account') ? (
        <div className="grid gap-6 sm:grid-cols-2">
          <TextField {...field('bsb')} hint="6 digits." inputMode="numeric" maxLength={20} />
          <TextField {...field('account')} hint="5 to 9 digits." inputMode="numeric" maxLength={30} />
        </div>
      ) : null}
      <TextField {...field('name')} hint="As your bank has it." maxLength={80} autoComplete="name" />
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          variant="primary"
          pending={navigation.formMethod === 'POST'}
          pendingText="Sending..."
        >
          Send it there
        </Button>
        {back}
      </div>
      <SendFailure />
    </Form>
  )
}
