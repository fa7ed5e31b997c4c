import { getFormProps, getInputProps, type SubmissionResult } from '@conform-to/react'
import { type FormEvent, Fragment, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { Cents, PriceUnit, UnitPrice } from '../../../shared/money.ts'
import { Button } from '../../../ui/button.tsx'
import { type FormError, FormSummary } from '../../../ui/form-summary.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { SchemaFields } from '../../../ui/schema-field.tsx'
import { type FieldsOf, useSchemaForm } from '../../../ui/schema-form.ts'
import type { PayoutTimes } from '../../terms/rules.ts'
import { DRAFT_FIELDS, LIST_FIELDS, type ListingDraft } from '../browser/listing-draft.ts'
import { useImageUploads } from '../browser/use-image-uploads.ts'
import { useListingUnits } from '../browser/use-listing-units.ts'
import { type ListedImage, storedImages } from '../image-rules.ts'
import { REQUIRED_FIELDS_TEXT } from '../listing-messages.ts'
import { ABOUT_INPUTS, hasMissingFields, listingSchema } from '../schema.ts'
import { ImagePicker } from './image-picker.tsx'
import { FactFields } from './listing-fact-fields.tsx'
import { PlaceField } from './listing-place-field.tsx'
import { PriceFields } from './listing-price-fields.tsx'
import { TermsFields } from './listing-terms-fields.tsx'

/** The payout terms of vendors who are paid by us. */
export type ListingPayouts = {
  /** The vendor's share of a listing's prices, in words. '' while no price is typed. */
  receiveText: (category: string, prices: readonly UnitPrice[]) => string
  /** The vendor's share of an amount, in cents. */
  shareOf: (category: string, cents: Cents) => Cents
  times: PayoutTimes
}

type ListingFormProps = {
  start: ListingDraft
  unpricedUnit: PriceUnit | null
  submitLabel: 'Submit' | 'Update'
  lastResult: SubmissionResult | undefined
  problem: ReactNode
  pending: boolean
  /** The listing is saved and the form is about to close. */
  closing: boolean
  payouts: ListingPayouts | null
  onTyped: (draft: ListingDraft) => void
  onSubmit: (form: FormData) => void
  onCancel: () => void
}

/**
 * The listing form (Specification, sections 2 to 5). The fields keep the typed values, whatever the result of a save.
 * @param start the initial values of the fields
 * @param unpricedUnit a booking type of the stored listing that has no price
 * @param problem the last save's error about the whole form
 * @param payouts what the vendor gets, and when; null while vendors aren't paid by us
 * @param onTyped called with the form's values at every change, to store the draft
 * @param onSubmit called with the checked form data
 */
export function ListingForm({
  start,
  unpricedUnit,
  submitLabel,
  lastResult,
  problem,
  pending,
  closing,
  payouts,
  onTyped,
  onSubmit,
  onCancel,
}: ListingFormProps) {
  const [category, setCategory] = useState(start.category)
  const element = useRef<HTMLFormElement>(null)
  const choice = useListingUnits(start, element)
  const uploads = useImageUploads(start.images, () => {
    const name = element.current?.elements.namedItem('name')
    return name instanceof HTMLInputElement ? name.value : ''
  })
  const { images } = uploads
  const isSending = images.some((image) => image.state === 'sending')

  const { form, fields, attempt, wasPressed, countPress } = useSchemaForm({
    id: 'listing',
    schema: listingSchema,
    lastResult,
    pending,
    defaultValue: start,
    onSubmit(event, { formData }) {
      event.preventDefault()
      if (!pending && !closing && !isSending) onSubmit(formData)
    },
  })

  const onInput = useDraftChanges({ element, start, images, units: choice.units, onTyped })

  return (
    <form {...getFormProps(form)} ref={element} method="post" className="grid gap-12" onInput={onInput}>
      {start.seen ? <input type="hidden" name="seen" value={start.seen} /> : null}
      {wasPressed || lastResult ? (
        <FormSummary
          errors={listedErrors(form.allErrors, fields)}
          attempt={attempt}
          {...(hasMissingFields(form.allErrors) ? { title: REQUIRED_FIELDS_TEXT } : {})}
        />
      ) : null}
      {/* The save answers what was sent, so nothing more may be typed meanwhile. Unlike disabled fields, inert ones still
          have values, which the draft reads. */}
      <div className="grid gap-12" inert={pending}>
        <AboutFields
          fields={fields}
          disabled={closing}
          onCategory={(chosen) => {
            setCategory(chosen)
            choice.chooseCategory(chosen)
          }}
        />

        <PriceFields
          fields={fields}
          choice={choice}
          unpricedUnit={unpricedUnit}
          disabled={closing}
          receiveText={payouts && ((prices) => payouts.receiveText(category, prices))}
        />
        <FactFields category={category} start={start} fields={fields} disabled={closing} />
        <TermsFields
          start={start}
          fields={fields}
          disabled={closing}
          unitPrice={choice.firstPrice}
          payouts={payouts && { times: payouts.times, shareOf: (cents) => payouts.shareOf(category, cents) }}
        />

        <ImageFields
          uploads={uploads}
          error={fields.images.errors?.[0]}
          closing={closing}
          pending={pending}
        />
      </div>

      <FormEnd
        problem={problem}
        submitLabel={submitLabel}
        pending={pending || closing || isSending}
        pendingText={isSending ? 'Sending images...' : 'Saving...'}
        onPress={countPress}
        disabled={closing}
        onCancel={onCancel}
      />
    </form>
  )
}

/** The errors for the summary. Those of the images show beside their button instead. */
function listedErrors(
  errors: Readonly<Record<string, string[] | null>>,
  fields: FieldsOf<ListingDraft>,
): FormError[] {
  return Object.entries(errors).flatMap(([name, messages]) => {
    const [message] = messages ?? []
    // The title of the summary covers the missing fields.
    if (!message || name === 'images' || message === REQUIRED_FIELDS_TEXT) return []
    const hasControl = name !== 'bookingTypes' && name !== ''
    return [{ fieldId: hasControl ? fields[name as keyof typeof fields].id : undefined, message }]
  })
}

/**
 * Reports every change with the form's values.
 * @returns the handler for the form's `onInput`
 */
function useDraftChanges({
  element,
  start,
  images,
  units,
  onTyped,
}: {
  element: RefObject<HTMLFormElement | null>
  start: ListingDraft
  images: readonly ListedImage[]
  units: object
  onTyped: (draft: ListingDraft) => void
}) {
  const report = useRef(onTyped)
  report.current = onTyped
  const reported = useRef({ images, units })
  // Uploads finish without any typing, so the draft has to follow the images too.
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of images and units is one of the form
  useEffect(() => {
    if (reported.current.images === images && reported.current.units === units) return
    reported.current = { images, units }
    if (element.current) report.current(readDraft(element.current, start, images))
  }, [images, units])
  return (event: FormEvent<HTMLFormElement>) => report.current(readDraft(event.currentTarget, start, images))
}

/** The form's values, with the images that are stored. */
function readDraft(form: HTMLFormElement, start: ListingDraft, images: readonly ListedImage[]): ListingDraft {
  const data = new FormData(form)
  const draft: ListingDraft = {
    ...start,
    images: images.flatMap((image) =>
      image.state === 'stored' ? [{ image: image.image, isNew: image.isNew }] : [],
    ),
  }
  for (const field of DRAFT_FIELDS) draft[field] = String(data.get(field) ?? '')
  for (const field of LIST_FIELDS) draft[field] = data.getAll(field).map(String)
  return draft
}

/** The name, category, description, services and place of the business. */
function AboutFields({
  fields,
  disabled,
  onCategory,
}: {
  fields: FieldsOf<ListingDraft>
  disabled: boolean
  onCategory: (category: string) => void
}) {
  return (
    <fieldset className="grid gap-6" disabled={disabled}>
      <legend className="mb-6 text-xl">About the business</legend>
      <SchemaFields inputs={ABOUT_INPUTS} fields={fields} additions={{ category: { onTyped: onCategory } }} />
      <PlaceField
        label="Location"
        hint="Suburb or town and state. Your street stays private."
        error={fields.location.errors}
        control={getInputProps(fields.location, { type: 'text' })}
      />
    </fieldset>
  )
}

/** The images, stored as hidden fields, with the picker that adds, describes and moves them. */
function ImageFields({
  uploads,
  error,
  closing,
  pending,
}: Pick<ListingFormProps, 'closing' | 'pending'> & {
  uploads: ReturnType<typeof useImageUploads>
  error: string | undefined
}) {
  const { images } = uploads
  return (
    <fieldset id="listing-images" className="grid gap-6" disabled={closing}>
      <legend className="mb-6 text-xl">Images</legend>
      {storedImages(images).map(({ url, alt }) => (
        <Fragment key={url}>
          <input type="hidden" name="images" value={url} />
          {alt?.trim() ? <input type="hidden" name="imageAlts" value={`${url} ${alt}`} /> : null}
        </Fragment>
      ))}
      <ImagePicker
        images={images}
        error={error}
        disabled={closing || pending}
        onFiles={uploads.addFiles}
        onRemove={uploads.remove}
        onDescribe={uploads.describe}
        onMove={uploads.move}
        onRetry={uploads.retry}
      />
    </fieldset>
  )
}

/** The last save's error about the whole form, and the buttons that save or cancel. */
function FormEnd({
  problem,
  submitLabel,
  pending,
  pendingText,
  disabled,
  onPress,
  onCancel,
}: Pick<ListingFormProps, 'problem' | 'submitLabel' | 'pending' | 'onCancel'> & {
  pendingText: string
  disabled: boolean
  onPress: () => void
}) {
  return (
    <div className="grid gap-4">
      {problem ? (
        <div className="notice notice-error" role="alert">
          <Icon name="circle-alert" />
          <p>{problem}</p>
        </div>
      ) : null}
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          variant="primary"
          size="large"
          className="grow sm:grow-0"
          pending={pending}
          pendingText={pendingText}
          onClick={onPress}
        >
          {submitLabel}
        </Button>
        <Button size="large" disabled={disabled} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  )
}
