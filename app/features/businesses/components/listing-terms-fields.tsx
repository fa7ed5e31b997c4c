import { getInputProps } from '@conform-to/react'
import { useState } from 'react'
import type { Cents, UnitPrice } from '../../../shared/money.ts'
import { TextField } from '../../../ui/field.tsx'
import { HelpLink } from '../../../ui/help-link.tsx'
import { RadioChoices } from '../../../ui/radio-choices.tsx'
import type { FieldsOf } from '../../../ui/schema-form.ts'
import { workExample } from '../../terms/example-rules.ts'
import { EVERY_POLICY_TEXT, POLICY_LABELS, policyText } from '../../terms/policy-messages.ts'
import { type ListingTerms, type PayoutTimes, POLICY_NAMES } from '../../terms/rules.ts'
import type { ListingDraft } from '../browser/listing-draft.ts'
import {
  BALANCE_HINT,
  BALANCE_LABEL,
  DEPOSIT_HINT,
  DEPOSIT_LABEL,
  PLAN_CHOICES,
  payoutsText,
} from '../listing-messages.ts'
import { parsePlan } from '../schema.ts'
import { ListingExample } from './listing-example.tsx'

/** When vendors are paid by us, and what they get of an amount. */
export type VendorPayouts = { times: PayoutTimes; shareOf: (cents: Cents) => Cents }

/** The cancellation policy and the payment plan of the listing form, with an example in the vendor's own price. */
export function TermsFields({
  start,
  fields,
  disabled,
  unitPrice,
  payouts,
}: {
  start: ListingDraft
  fields: FieldsOf<ListingDraft>
  disabled: boolean
  /** Null while no price is typed, or on request. */
  unitPrice: UnitPrice | null
  payouts: VendorPayouts | null
}) {
  const [typed, setTyped] = useState(start)
  const type = (changed: Partial<ListingDraft>) => setTyped((before) => ({ ...before, ...changed }))
  const terms = termsOf(typed)
  return (
    <fieldset className="grid gap-6" disabled={disabled}>
      <legend className="mb-6 text-xl">Cancelling and payment</legend>
      <RadioChoices
        legend="Cancellation policy"
        name="policy"
        id={fields.policy.id}
        options={POLICY_NAMES.map((policy) => ({
          value: policy,
          label: POLICY_LABELS[policy],
          hint: policyText(policy, 'Customers get'),
        }))}
        value={typed.policy}
        error={fields.policy.errors}
        onChange={(policy) => type({ policy })}
      />
      <p className="field-hint -mt-3">{EVERY_POLICY_TEXT}</p>
      <HelpLink article="deposits-and-policies">Which plan and policy to choose</HelpLink>
      <RadioChoices
        legend="Customers pay"
        name="plan"
        id={fields.plan.id}
        options={PLAN_CHOICES}
        value={typed.plan}
        error={fields.plan.errors}
        onChange={(plan) => type({ plan })}
      />
      {/* CSS shows and hides the deposit, so that it works without JavaScript too. */}
      <div className="hidden items-start gap-6 sm:grid-cols-2 [fieldset:has([value=deposit]:checked)>&]:grid">
        <TextField
          label={DEPOSIT_LABEL}
          hint={DEPOSIT_HINT}
          inputMode="decimal"
          autoComplete="off"
          error={fields.depositPercent.errors}
          control={getInputProps(fields.depositPercent, { type: 'text' })}
          onInput={(event) => type({ depositPercent: event.currentTarget.value })}
        />
        <TextField
          label={BALANCE_LABEL}
          hint={BALANCE_HINT}
          inputMode="numeric"
          autoComplete="off"
          error={fields.balanceDays.errors}
          control={getInputProps(fields.balanceDays, { type: 'text' })}
          onInput={(event) => type({ balanceDays: event.currentTarget.value })}
        />
      </div>
      {payouts && terms ? <p className="field-hint">{payoutsText(terms.plan, payouts.times)}</p> : null}
      {terms && unitPrice ? (
        <ListingExample
          example={workExample(terms, unitPrice, payouts?.times ?? null)}
          shareOf={payouts?.shareOf ?? null}
        />
      ) : null}
    </fieldset>
  )
}

/** The terms as typed; null while one of them is unclear. */
function termsOf(typed: ListingDraft): ListingTerms | null {
  const policy = POLICY_NAMES.find((each) => each === typed.policy)
  const plan = parsePlan(typed)
  return policy && plan ? { policy, plan } : null
}
