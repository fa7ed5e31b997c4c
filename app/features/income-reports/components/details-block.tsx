import type { ReactNode } from 'react'
import { href, Link, useFetcher } from 'react-router'
import { formatDate } from '../../../shared/dates.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField, type TextFieldProps } from '../../../ui/field.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useAnswer } from '../../../ui/use-answer.ts'
import {
  ANSWERS_TITLE,
  type AskedDetail,
  CHANGE_DETAILS,
  CHANGE_PROPERTY,
  DETAIL_LABELS,
  MISSING_INTRO,
  NOTHING_MISSING_TEXT,
  PROPERTY_HINT,
  propertyLabel,
  SAVE_DETAILS,
  SAVE_PROPERTY,
  SAVING,
  TAX_OFFICE_NOTE,
  TAX_OFFICE_TITLE,
} from '../messages.ts'

/** The answer to one of the forms; `errors` belong to its fields. */
export type DetailsAnswer = { ok: boolean; message: string; errors?: Record<string, string> }

/** The details that the reports lack of a vendor. */
export type AskedOfVendor = {
  /** Whether nothing is missing. An ABN is added by the registration alone. */
  isComplete: boolean
  details: readonly AskedDetail[]
  properties: readonly { businessId: string; businessName: string }[]
  /** What they have typed before, which they can change. */
  answers: {
    details: readonly { detail: AskedDetail; value: string }[]
    properties: readonly { businessId: string; businessName: string; address: string }[]
  }
}

/** Says what we report about a vendor, and asks for what is missing. Renders nothing for vendors whom no report will have. */
export function DetailsBlock({ asked }: { asked: AskedOfVendor | null }) {
  if (!asked) return null
  const { details, properties, isComplete, answers } = asked
  return (
    <section aria-labelledby="tax-office-title" id="tax-office">
      <h2 id="tax-office-title" className="text-lg">
        {TAX_OFFICE_TITLE}
      </h2>
      <p className="mt-2 max-w-prose text-quiet">{TAX_OFFICE_NOTE}</p>
      <p className="mt-2 max-w-prose">
        {isComplete ? NOTHING_MISSING_TEXT : MISSING_INTRO}{' '}
        <Link className="link" to={href('/dashboard/register-business')}>
          Open my registration
        </Link>
      </p>
      {details.length > 0 ? <DetailsForm fields={details.map((detail) => ({ detail, value: '' }))} /> : null}
      {properties.map((property) => (
        <PropertyForm key={property.businessId} {...property} address="" />
      ))}
      {answers.details.length > 0 || answers.properties.length > 0 ? <Answers {...answers} /> : null}
    </section>
  )
}

/** What the vendor has typed before, with the same forms to change it. */
function Answers({ details, properties }: AskedOfVendor['answers']) {
  return (
    <div className="mt-6 max-w-prose">
      <h3 className="text-base">{ANSWERS_TITLE}</h3>
      {details.length > 0 ? (
        <>
          <dl className="mt-2">
            {details.map(({ detail, value }) => (
              <Answer
                key={detail}
                label={DETAIL_LABELS[detail].label}
                value={detail === 'birthDate' ? formatDate(value) : value}
              />
            ))}
          </dl>
          <Change label={CHANGE_DETAILS}>
            <DetailsForm fields={details} />
          </Change>
        </>
      ) : null}
      {properties.map((property) => (
        <div key={property.businessId}>
          <dl className="mt-2">
            <Answer label={propertyLabel(property.businessName)} value={property.address} />
          </dl>
          <Change label={CHANGE_PROPERTY}>
            <PropertyForm {...property} />
          </Change>
        </div>
      ))}
    </div>
  )
}

function Answer({ label, value }: { label: string; value: string }) {
  return (
    <div className="border-b border-line py-2.5">
      <dt className="text-sm text-quiet">{label}</dt>
      <dd className="wrap-anywhere">{value}</dd>
    </div>
  )
}

function Change({ label, children }: { label: string; children: ReactNode }) {
  return (
    <details>
      <summary className="link inline-flex min-h-11 cursor-pointer items-center">{label}</summary>
      {children}
    </details>
  )
}

const INPUTS: Readonly<Partial<Record<AskedDetail, Partial<TextFieldProps>>>> = {
  fullName: { autoComplete: 'name' },
  businessName: { autoComplete: 'organization' },
  birthDate: { type: 'date', autoComplete: 'bday' },
  address: { autoComplete: 'street-address' },
  email: { type: 'email', autoComplete: 'email' },
  phone: { type: 'tel', autoComplete: 'tel' },
}

function DetailsForm({ fields }: { fields: readonly { detail: AskedDetail; value: string }[] }) {
  const fetcher = useDetailsFetcher()
  return (
    <fetcher.Form method="post" className="mt-4 grid max-w-column gap-4" noValidate>
      <input type="hidden" name="intent" value="save-income-details" />
      {fields.map(({ detail, value }) => {
        const { label, hint } = DETAIL_LABELS[detail]
        return (
          <TextField
            key={detail}
            {...INPUTS[detail]}
            id={`income-${detail}`}
            name={detail}
            label={label}
            {...(hint ? { hint } : {})}
            defaultValue={value}
            error={fetcher.data?.errors?.[detail]}
            required
          />
        )
      })}
      <Save label={SAVE_DETAILS} isSaving={fetcher.state !== 'idle'} />
    </fetcher.Form>
  )
}

function PropertyForm({ businessId, businessName, address }: AskedOfVendor['answers']['properties'][number]) {
  const fetcher = useDetailsFetcher()
  return (
    <fetcher.Form method="post" className="mt-4 grid max-w-column gap-4" noValidate>
      <input type="hidden" name="intent" value="save-property" />
      <input type="hidden" name="businessId" value={businessId} />
      <TextField
        id={`property-${businessId}`}
        name="property"
        label={propertyLabel(businessName)}
        hint={PROPERTY_HINT}
        defaultValue={address}
        error={fetcher.data?.errors?.property}
        autoComplete="off"
        required
      />
      <Save label={SAVE_PROPERTY} isSaving={fetcher.state !== 'idle'} />
    </fetcher.Form>
  )
}

function useDetailsFetcher() {
  const fetcher = useFetcher<DetailsAnswer>()
  useAnswer(fetcher, ({ ok, errors = {}, message }) => {
    if (Object.keys(errors).length === 0) showToast({ type: ok ? 'success' : 'error', text: message })
  })
  return fetcher
}

function Save({ label, isSaving }: { label: string; isSaving: boolean }) {
  return (
    <>
      <Button type="submit" className="justify-self-start" pending={isSaving} pendingText={SAVING}>
        {label}
      </Button>
      <SendFailure />
    </>
  )
}
