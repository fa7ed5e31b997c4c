import { useFetcher } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { useDialogs } from '../../../ui/dialog.tsx'
import { TextAreaField, TextField } from '../../../ui/field.tsx'
import { useFormDraft } from '../../../ui/form-draft.ts'
import { FormSummary } from '../../../ui/form-summary.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useAnswer } from '../../../ui/use-answer.ts'
import { ACTS, type ActName } from '../act-rules.ts'
import type { DisputeFacts } from '../dispute-facts-queries.server.ts'
import { EVIDENCE_HINT, EVIDENCE_LABELS, NEEDS_SECOND } from '../dispute-messages.ts'
import { type OperationAnswer, OperationProof } from './operation-form.tsx'

const ROWS = { product: 3, serviceDate: 2, terms: 5, refusal: 4, statement: 12 } as const
const ACT = 'submit-evidence' satisfies ActName
const { fields, question, button, pending } = ACTS[ACT]

/**
 * The evidence of a dispute, to correct and to send. The typed texts stay in the tab until they are sent.
 * @param props.onUnsent gets the texts of a refused answer, since the page may no longer show the form
 */
export function EvidenceForm({
  dispute,
  ownEmail,
  onUnsent,
}: {
  dispute: DisputeFacts
  ownEmail: string
  onUnsent: (message: string, texts: string) => void
}) {
  const fetcher = useFetcher<OperationAnswer>()
  const { confirm } = useDialogs()
  const answer = fetcher.data
  const form = useFormDraft(`evidence:${dispute.id}:${ownEmail}`, answer?.ok ? answer : null)
  const errors = answer?.errors ?? {}
  useAnswer(
    fetcher,
    ({ ok, message, errors: refused }) => {
      if (ok) showToast({ type: 'success', text: message })
      else if (!refused && form.current) onUnsent(message, textsOf(form.current))
    },
    { isEarly: true },
  )
  const id = `evidence-${dispute.id}`
  const field = (name: keyof typeof EVIDENCE_LABELS) => ({
    id: `${id}-${name}`,
    name,
    label: fields[name].label,
    defaultValue: dispute.texts[name],
    maxLength: fields[name].maxLength,
    required: !fields[name].isOptional,
    optional: fields[name].isOptional,
    error: errors[name],
  })
  return (
    <fetcher.Form
      ref={form}
      method="post"
      className="mt-4 grid max-w-prose gap-5"
      onSubmit={async (event) => {
        event.preventDefault()
        const target = event.currentTarget
        const yes = await confirm({
          ...question,
          body: dispute.needsSecondOperator ? `${question.body} ${NEEDS_SECOND}` : question.body,
        })
        if (yes) await fetcher.submit(target)
      }}
    >
      <p className="text-quiet">{EVIDENCE_HINT}</p>
      <FormSummary
        errors={Object.entries(errors).map(([name, message]) => ({ fieldId: `${id}-${name}`, message }))}
        attempt={answer}
      />
      <input type="hidden" name="intent" value={ACT} />
      <input type="hidden" name="id" value={dispute.id} />
      <input type="hidden" name="seen" value={dispute.version} />
      <TextAreaField rows={ROWS.product} {...field('product')} />
      <TextAreaField rows={ROWS.serviceDate} {...field('serviceDate')} />
      <TextAreaField rows={ROWS.terms} {...field('terms')} />
      <TextAreaField rows={ROWS.refusal} {...field('refusal')} />
      <TextAreaField rows={ROWS.statement} {...field('statement')} />
      <TextField
        id={`${id}-reason`}
        name="reason"
        {...fields.reason}
        required
        autoComplete="off"
        error={errors.reason}
      />
      <OperationProof answer={answer} id={`${id}-proof`} />
      <div>
        <Button type="submit" variant="primary" pending={fetcher.state !== 'idle'} pendingText={pending}>
          {button}
        </Button>
        <SendFailure />
      </div>
    </fetcher.Form>
  )
}

function textsOf(form: HTMLFormElement): string {
  const typed = new FormData(form)
  return Object.entries(EVIDENCE_LABELS)
    .map(([name, label]) => `${label}\n${typed.get(name)}`)
    .join('\n\n')
}
