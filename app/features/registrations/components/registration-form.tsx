import { getFormProps, type SubmissionResult } from '@conform-to/react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { href } from 'react-router'
import type { LocalDate } from '../../../shared/dates.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { FormSummary } from '../../../ui/form-summary.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { lineProps, SchemaField, SchemaFields } from '../../../ui/schema-field.tsx'
import { type FieldsOf, useSchemaForm } from '../../../ui/schema-form.ts'
import { setTyped } from '../../../ui/set-typed.ts'
import { Spinner } from '../../../ui/spinner.tsx'
import type { Suggestion } from '../browser/use-abn-lookup.ts'
import {
  ACN_HINT,
  ADD_STREET_TEXT,
  REGISTER_BUTTON,
  REGISTERING_BUTTON,
  REGISTERING_OVERLAY,
  REGISTRATION_CHANGED_TEXT,
  SAVE_ANYWAY_BUTTON,
  SAVE_BUTTON,
  SAVING_BUTTON,
  SAVING_OVERLAY,
  SECTIONS,
  SHOW_SAVED_BUTTON,
} from '../messages.ts'
import type { Prefill } from '../prefill-rules.ts'
import { EARLIEST_BIRTH, isValidAcn, MAX_ACN_LENGTH, MAX_BUSINESS_DESCRIPTION_LENGTH } from '../rules.ts'
import { REGISTRATION_INPUTS, type Registration, registrationSchema } from '../schema.ts'
import { AbnField } from './abn-field.tsx'
import { type Logo, LogoPicker } from './logo-picker.tsx'

/**
 * The registration form with its five sections (Specification, sections 2, 3 and 5). The fields and the logo keep their
 * values whether or not a save succeeds.
 * @param props.present the saved registration to change; null to register
 * @param props.prefill what a new registration begins with
 * @param props.isAbnFirst whether the ABN stands before the name, which the register then fills in
 * @param props.version of the saved registration
 * @param props.newerVersion the version that is saved, if the form was refused as one of an older
 * @param props.today the latest date of birth
 * @param props.onSubmit called with the checked form and the logo, to be sent
 */
export function RegistrationForm({
  present,
  prefill = {},
  isAbnFirst = false,
  version,
  newerVersion,
  today,
  lastResult,
  pending,
  onTyped,
  onSubmit,
  onShowSaved,
  onCancel,
}: {
  present: Registration | null
  prefill?: Prefill
  isAbnFirst?: boolean
  version: string | null
  newerVersion: string | null
  today: LocalDate
  lastResult: SubmissionResult | undefined
  pending: boolean
  onTyped: () => void
  onSubmit: (form: FormData, logo: Logo) => void
  onShowSaved: () => void
  /** Omitted when there is nothing to go back to. */
  onCancel?: () => void
}) {
  // A refresh of the page changes neither the typed values nor the version that they were made from.
  const [seen] = useState(version)
  const [schema] = useState(() => registrationSchema(today))
  const [logo, setLogo] = useState<Logo>(() =>
    present?.logoUrl ? { kind: 'stored', url: present.logoUrl } : { kind: 'none' },
  )
  const { form, fields, attempt, wasPressed, countPress } = useSchemaForm<Registration, Registration>({
    id: 'registration',
    schema,
    lastResult,
    pending,
    defaultValue: present ?? prefill,
    onSubmit(event, { formData }) {
      event.preventDefault()
      if (!pending) onSubmit(formData, logo)
    },
  })
  const errors = Object.entries(form.allErrors).flatMap(([name, messages]) => {
    const [message] = messages ?? []
    return message ? [{ fieldId: fields[name as keyof typeof fields].id, message }] : []
  })

  return (
    <form
      {...getFormProps(form)}
      method="post"
      // Other screens have the form too.
      action={href('/dashboard/register-business')}
      className="grid gap-12"
      onInput={onTyped}
    >
      {wasPressed ? <FormSummary errors={errors} attempt={attempt} /> : null}
      {seen ? <input type="hidden" name="seen" value={seen} /> : null}

      <BusinessSection fields={fields} present={present} isAbnFirst={isAbnFirst} onTyped={onTyped} />
      <Section
        title={SECTIONS.address}
        {...(!present && prefill.principalAddress ? { note: ADD_STREET_TEXT } : {})}
        fields={fields}
        rows={['principalAddress', 'postalAddress']}
      />
      <PeopleSections fields={fields} today={today} />
      <Section title={SECTIONS.optional} fields={fields}>
        <LogoPicker
          logo={logo}
          disabled={pending}
          onChange={(chosen) => {
            setLogo(chosen)
            onTyped()
          }}
        />
        <DescriptionField field={fields.businessDescription} saved={present?.businessDescription ?? ''} />
      </Section>

      <div className="grid gap-4">
        <p className="text-sm text-quiet">
          Public: business name, ABN, website, logo and description. Everything else stays private.
        </p>
        {newerVersion ? <ChangedMeanwhile version={newerVersion} onShowSaved={onShowSaved} /> : null}
        <FormButtons isChange={present !== null} pending={pending} onPress={countPress} onCancel={onCancel} />
      </div>
      {pending ? <SavingOverlay text={present ? SAVING_OVERLAY : REGISTERING_OVERLAY} /> : null}
    </form>
  )
}

/** How customers reach the business, and who owns it. */
function PeopleSections({ fields, today }: { fields: Fields; today: LocalDate }) {
  return (
    <>
      <Section
        title={SECTIONS.contact}
        note="Customers get your phone and email once they have paid you."
        fields={fields}
        rows={[['businessPhone', 'businessEmail'], 'website']}
      />
      <Section
        title={SECTIONS.owner}
        note="Only we see this section. If this is your account’s email, your logo becomes your picture in the header."
        fields={fields}
        rows={[['ownerName', 'ownerDob', 'ownerPhone', 'ownerEmail']]}
        additions={{ ownerDob: { min: EARLIEST_BIRTH, max: today } }}
      />
    </>
  )
}

function FormButtons({
  isChange,
  pending,
  onPress,
  onCancel,
}: {
  isChange: boolean
  pending: boolean
  onPress: () => void
  onCancel: (() => void) | undefined
}) {
  return (
    <div className="flex flex-wrap gap-3">
      <Button
        type="submit"
        variant="primary"
        size="large"
        className="grow sm:grow-0"
        pending={pending}
        pendingText={isChange ? SAVING_BUTTON : REGISTERING_BUTTON}
        onClick={onPress}
      >
        {isChange ? SAVE_BUTTON : REGISTER_BUTTON}
      </Button>
      {onCancel ? (
        <Button size="large" waiting={pending} onClick={onCancel}>
          Cancel
        </Button>
      ) : null}
    </div>
  )
}

/** The refusal of a form of an older version, with the choice to save it anyway or to see what is saved. */
function ChangedMeanwhile({ version, onShowSaved }: { version: string; onShowSaved: () => void }) {
  return (
    <div className="notice notice-error" role="alert">
      <Icon name="circle-alert" />
      <div>
        <p>{REGISTRATION_CHANGED_TEXT}</p>
        <div className="mt-3 flex flex-wrap gap-3">
          {/* Enter in a field presses the form's first button. It mustn't replace the other changes. */}
          <button type="submit" hidden />
          <Button type="submit" size="small" name="anyway" value={version}>
            {SAVE_ANYWAY_BUTTON}
          </Button>
          <Button size="small" variant="quiet" onClick={onShowSaved}>
            {SHOW_SAVED_BUTTON}
          </Button>
        </div>
      </div>
    </div>
  )
}

type Fields = FieldsOf<Registration>

function BusinessSection({
  fields,
  present,
  isAbnFirst,
  onTyped,
}: {
  fields: Fields
  present: Registration | null
  isAbnFirst: boolean
  onTyped: () => void
}) {
  const [filled, setFilled] = useState<string[]>([])
  const fill = ({ businessName, structure }: Suggestion) =>
    setFilled([
      ...(fillEmpty(fields.businessName.id, businessName) ? ['business name'] : []),
      ...(fillEmpty(fields.businessStructure.id, structure ?? '') ? ['business structure'] : []),
    ])
  return (
    <Section
      title={SECTIONS.business}
      fields={fields}
      rows={[
        ...(isAbnFirst
          ? ([['abn', 'acn'], 'businessName'] as const)
          : (['businessName', ['abn', 'acn']] as const)),
        ['businessStructure', 'industryType'],
        'gstRegistered',
      ]}
      own={{
        abn: (
          <AbnField
            key={fields.abn.key}
            field={fields.abn}
            known={present?.abn ?? ''}
            onFound={fill}
            filled={filled}
          />
        ),
        acn: <AcnField key="acn" field={fields.acn} known={present?.acn ?? ''} onTyped={onTyped} />,
      }}
    />
  )
}

function AcnField({
  field,
  known,
  onTyped,
}: {
  field: Fields['acn']
  /** The ACN that is saved; '' without one. */
  known: string
  onTyped: () => void
}) {
  const [acn, setAcn] = useState(known)
  return (
    <TextField
      {...lineProps(REGISTRATION_INPUTS.acn)}
      id={field.id}
      name={field.name}
      value={acn}
      onChange={(event) => setAcn(withoutSpaces(event.currentTarget.value))}
      onPaste={(event) => {
        // The browser would cut '004 085 616' at nine characters.
        event.preventDefault()
        setAcn(withoutSpaces(event.clipboardData.getData('text')))
        onTyped()
      }}
      error={field.errors}
      feedback={acn.length === MAX_ACN_LENGTH && !isValidAcn(acn) ? ACN_HINT : <span />}
    />
  )
}

function DescriptionField({ field, saved }: { field: Fields['businessDescription']; saved: string }) {
  const [typed, setTyped] = useState(saved)
  return (
    <SchemaField
      input={REGISTRATION_INPUTS.businessDescription}
      field={field}
      onTyped={setTyped}
      feedback={<Counter used={typed.length} />}
    />
  )
}

/** Fills in a field that is empty. @returns whether it was */
function fillEmpty(id: string, text: string): boolean {
  const control = document.getElementById(id)
  if (text === '' || !(control instanceof HTMLInputElement || control instanceof HTMLSelectElement))
    return false
  if (control.value !== '') return false
  setTyped(control, text)
  return true
}

function withoutSpaces(text: string): string {
  return text.replace(/\s/g, '').slice(0, MAX_ACN_LENGTH)
}

/** A section with fields in rows, below its children. */
function Section({
  title,
  note,
  children,
  rows = [],
  ...others
}: Omit<ComponentProps<typeof SchemaFields<keyof typeof REGISTRATION_INPUTS>>, 'inputs'> & {
  title: string
  note?: string
  children?: ReactNode
}) {
  return (
    <section className="grid gap-6 border-t border-line pt-8 first-of-type:border-0 first-of-type:pt-0">
      <div>
        <h2 className="text-xl">{title}</h2>
        {note ? <p className="mt-1.5 text-sm text-quiet">{note}</p> : null}
      </div>
      {children}
      <SchemaFields inputs={REGISTRATION_INPUTS} rows={rows} {...others} />
    </section>
  )
}

/** The number of the description's 500 characters that are left. Screen readers announce it only near the end. */
function Counter({ used }: { used: number }) {
  const left = MAX_BUSINESS_DESCRIPTION_LENGTH - used
  return (
    <span className="figures flex justify-end">
      <span aria-hidden="true">
        {used}/{MAX_BUSINESS_DESCRIPTION_LENGTH}
      </span>
      <span className="unseen">{left <= 50 ? `${left} characters left` : ''}</span>
    </span>
  )
}

function SavingOverlay({ text }: { text: string }) {
  return (
    <div role="status" className="fixed inset-0 z-50 grid place-items-center bg-ground/80 p-6">
      <p className="flex items-center gap-4 rounded-card border border-line bg-surface px-7 py-6 text-lg shadow-float">
        <Spinner />
        {text}
      </p>
    </div>
  )
}
