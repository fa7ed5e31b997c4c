import { useState } from 'react'
import { Form, href, useNavigation } from 'react-router'
import { formatInstant } from '../../../shared/dates.ts'
import { formatMoney } from '../../../shared/money.ts'
import { zoneLabel } from '../../../shared/time-span.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { TextAreaField } from '../../../ui/field.tsx'
import { useFormDraft } from '../../../ui/form-draft.ts'
import { FormSummary } from '../../../ui/form-summary.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { FileField } from '../../enquiries/components/file-field.tsx'
import { ProofList } from '../components/proof-list.tsx'
import type { VendorDispute } from '../proof-commands.server.ts'
import { MAX_PROOF_WORDS, MAX_PROOFS } from '../proof-rules.ts'

export const PROOF_TITLE = 'Send your proof'

/** Why proof isn't taken. */
export const PROOF_REFUSALS = {
  not_found: 'There is no such dispute.',
  decided: 'The bank has decided, so nothing more can be sent.',
  replied: 'Our reply to the bank has been sent.',
  too_late: 'The time for proof is over. We’re sending our reply to the bank.',
  too_many: `You’ve sent proof ${MAX_PROOFS} times. If something important is missing, contact us.`,
  unreadable: 'We couldn’t read that. Try again.',
} as const

/** The response to a sent proof. The words come back unless they were stored. */
export type ProofAnswer = {
  isDone: boolean
  refusal: string | null
  errors: { words?: string; files?: string }
  words: string
}

/** A dispute of a vendor's booking: by when proof helps, what they have sent, and the form for more. */
export function ProofScreen({
  dispute,
  submitKey,
  answer,
}: {
  /** Null for none, and for another vendor's. */
  dispute: VendorDispute | null
  /** Names one press of the button. */
  submitKey: string
  answer: ProofAnswer | undefined
}) {
  if (!dispute)
    return (
      <EmptyState
        heading="h1"
        title="There is no such dispute"
        text="Open the link in our email again, logged in to the account that it was sent to."
        action={<ButtonLink to={href('/dashboard')}>My Dashboard</ButtonLink>}
      />
    )
  const { amountCents, proofBy, refusal, proofs, timeZone } = dispute
  return (
    <div className="max-w-column">
      <h1>{PROOF_TITLE}</h1>
      <p className="lede mt-5 [overflow-wrap:anywhere]">
        A customer’s bank disputes {formatMoney(amountCents)} of your booking for {dispute.businessName}:{' '}
        {dispute.span}.
      </p>
      {refusal ? null : (
        <p className="mt-4 max-w-prose">
          {proofBy ? (
            <strong>
              Send it by {formatInstant(new Date(proofBy), timeZone)}, {zoneLabel(timeZone)}.{' '}
            </strong>
          ) : null}
          The bank reads your words, so say in them what the files show. Messages, photos of the day and a
          signed contract help us most.
        </p>
      )}
      {answer?.isDone ? (
        <p className="mt-6" role="status">
          <strong>We have it.</strong>
          {refusal ? null : proofBy ? ' You can add more until the day above.' : ' You can add more.'}
        </p>
      ) : null}
      {answer?.refusal ? (
        <div className="mt-6">
          <Banner tone="error">{answer.refusal}</Banner>
        </div>
      ) : null}
      {refusal && answer?.words ? (
        <div className="mt-6">
          <TextAreaField label={NOT_SENT} rows={6} readOnly value={answer.words} />
        </div>
      ) : null}
      {refusal && !answer?.refusal ? (
        <div className="mt-6">
          <Banner>{PROOF_REFUSALS[refusal]}</Banner>
        </div>
      ) : null}
      {refusal ? null : (
        <ProofForm
          key={proofs.length}
          // A stored proof leaves its draft behind, so the next form begins empty.
          draftName={`proof-${dispute.id}-${proofs.length}`}
          submitKey={submitKey}
          answer={answer}
        />
      )}
      {proofs.length > 0 ? (
        <section className="mt-10" aria-labelledby="sent">
          <h2 id="sent" className="text-xl">
            What you’ve sent
          </h2>
          <ProofList disputeId={dispute.id} proofs={proofs} timeZone={timeZone} />
        </section>
      ) : null}
    </div>
  )
}

function ProofForm({
  draftName,
  submitKey,
  answer,
}: {
  draftName: string
  submitKey: string
  answer: ProofAnswer | undefined
}) {
  const navigation = useNavigation()
  const [key, setKey] = useState(submitKey)
  const form = useFormDraft(draftName, answer?.isDone ? answer : null, setKey)
  const errors = answer?.errors ?? {}
  return (
    <Form ref={form} method="post" encType="multipart/form-data" className="mt-8 grid gap-6" noValidate>
      <input type="hidden" name="submitKey" value={key} />
      <FormSummary
        errors={[
          { fieldId: 'words', label: WORDS_LABEL, message: errors.words },
          { fieldId: 'files', label: 'Files', message: errors.files },
        ].flatMap(({ message, ...field }) => (message ? [{ ...field, message }] : []))}
        attempt={answer}
      />
      <TextAreaField
        id="words"
        name="words"
        label={WORDS_LABEL}
        hint="What was agreed, what you did, and what the customer said afterwards."
        required
        rows={6}
        maxLength={MAX_PROOF_WORDS}
        defaultValue={answer?.isDone ? '' : answer?.words}
        error={errors.words}
      />
      <FileField id="files" error={errors.files} />
      <div>
        <Button
          type="submit"
          variant="primary"
          pending={navigation.formMethod === 'POST'}
          pendingText="Sending..."
        >
          Send it
        </Button>
      </div>
      <SendFailure />
    </Form>
  )
}

const WORDS_LABEL = 'What happened?'
const NOT_SENT = 'Your text wasn’t sent'
