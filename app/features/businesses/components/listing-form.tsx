import { getFormProps, getInputProps, getTextareaProps, type SubmissionResult } from '@conform-to/react'
import { CircleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type Cents, PRICE_UNITS, type PriceUnit, parsePrice } from '../../../shared/money.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { CheckboxField, FieldError, SelectField, TextAreaField, TextField } from '../../../ui/field.tsx'
import { FormSummary } from '../../../ui/form-summary.tsx'
import { useSchemaForm } from '../../../ui/schema-form.ts'
import { setTyped } from '../../../ui/set-typed.ts'
import { SegmentedControl } from '../../../ui/tabs.tsx'
import { DRAFT_FIELDS, type ListingDraft } from '../browser/listing-draft.ts'
import { useImageUploads } from '../browser/use-image-uploads.ts'
import { storedImages } from '../image-rules.ts'
import {
  addPriceText,
  bookedByOneUnitText,
  REQUIRED_FIELDS_TEXT,
  secondPriceLabel,
  UNIT_LABELS,
} from '../listing-wording.ts'
import { CATEGORIES, defaultPriceUnit, otherUnit } from '../rules.ts'
import { hasMissingFields, listingSchema, MAX_DESCRIPTION_LENGTH, MAX_NAME_LENGTH } from '../schema.ts'
import { PRICE_ON_REQUEST_TEXT, unitPriceText } from '../wording.ts'
import { ImagePicker } from './image-picker.tsx'
import { PlaceField } from './listing-place-field.tsx'

type Units = { unit: PriceUnit | null; types: PriceUnit[]; isOwnChoice: boolean }

/**
 * The listing form (Specification, sections 2 to 5). The fields keep what is typed whatever comes of a save.
 * @param start what the fields begin with
 * @param unpricedUnit a unit that the stored listing was booked by and has no price for
 * @param problem what the last save said of the whole form
 * @param onTyped called at every change with what the form holds, for the draft
 * @param onSubmit called with the checked form, to be sent
 */
export function ListingForm({
  start,
  unpricedUnit,
  submitLabel,
  lastResult,
  problem,
  pending,
  closing,
  onTyped,
  onSubmit,
  onCancel,
}: {
  start: ListingDraft
  unpricedUnit: PriceUnit | null
  submitLabel: 'Submit' | 'Update'
  lastResult: SubmissionResult | undefined
  problem: ReactNode
  pending: boolean
  /** Saved; the form is about to close. */
  closing: boolean
  onTyped: (draft: ListingDraft) => void
  onSubmit: (form: FormData) => void
  onCancel: () => void
}) {
  const element = useRef<HTMLFormElement>(null)
  const [price, setPrice] = useState(start.price)
  const [secondPrice, setSecondPrice] = useState(start.secondPrice)
  const [units, setUnits] = useState<Units>(() => ({
    unit: PRICE_UNITS.find((unit) => unit === start.priceUnit) ?? null,
    types: PRICE_UNITS.filter((type) => start.bookingTypes.includes(type)),
    isOwnChoice: start.priceUnit !== '',
  }))
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
    shouldValidate: 'onSubmit',
    onSubmit(event, { formData }) {
      event.preventDefault()
      if (!pending && !closing && !isSending) onSubmit(formData)
    },
  })

  const tell = useRef(onTyped)
  tell.current = onTyped
  const told = useRef({ images, units })
  // The images arrive without anybody typing, so the draft follows them too.
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of images and units is one of the form
  useEffect(() => {
    if (told.current.images === images && told.current.units === units) return
    told.current = { images, units }
    if (element.current) tell.current(readForm(element.current))
  }, [images, units])

  function readForm(from: HTMLFormElement): ListingDraft {
    const data = new FormData(from)
    const draft: ListingDraft = {
      ...start,
      bookingTypes: data.getAll('bookingTypes').map(String),
      images: images.flatMap((image) =>
        image.state === 'stored' ? [{ image: image.image, isNew: image.isNew }] : [],
      ),
    }
    for (const field of DRAFT_FIELDS) draft[field] = String(data.get(field) ?? '')
    return draft
  }

  /** The category's default (Decision 5), unless the vendor has said something else. */
  function chooseCategory(category: string) {
    if (units.isOwnChoice) return
    const known = CATEGORIES.find((each) => each === category)
    const unit = known ? defaultPriceUnit(known) : null
    setUnits({ unit, types: unit ? [unit] : [], isOwnChoice: false })
  }

  /** The unit of the first price. Of two prices each keeps its unit, so both change places. */
  function chooseUnit(unit: PriceUnit) {
    const hasBoth = units.types.length > 1
    setUnits({ unit, types: hasBoth ? units.types : [unit], isOwnChoice: true })
    if (!hasBoth || !element.current) return
    const typed = new FormData(element.current)
    for (const [to, from] of [
      ['price', 'secondPrice'],
      ['secondPrice', 'price'],
    ] as const) {
      const input = element.current.elements.namedItem(to)
      if (input instanceof HTMLInputElement) setTyped(input, String(typed.get(from) ?? ''))
    }
  }

  function chooseType(type: PriceUnit, wanted: boolean) {
    setUnits(({ unit, types }) => {
      const next = PRICE_UNITS.filter((each) => (each === type ? wanted : types.includes(each)))
      // What is left is what the price is per.
      return {
        unit: unit !== null && next.includes(unit) ? unit : (next[0] ?? unit),
        types: next,
        isOwnChoice: true,
      }
    })
  }

  const errors = form.allErrors
  const listed = Object.entries(errors).flatMap(([name, messages]) => {
    const [message] = messages ?? []
    if (!message) return []
    // The images say it themselves, beside the button that was pressed; the title says what is missing.
    if (name === 'images' || message === REQUIRED_FIELDS_TEXT) return []
    const hasControl = name !== 'bookingTypes' && name !== ''
    return [{ fieldId: hasControl ? fields[name as keyof typeof fields].id : undefined, message }]
  })
  const secondUnit = units.unit && otherUnit(units.unit)
  const prices = units.types.map((type) => ({
    unit: type,
    cents: parsePrice(type === units.unit ? price : secondPrice),
  }))
  const imageError = fields.images.errors?.[0]

  return (
    <form
      {...getFormProps(form)}
      ref={element}
      method="post"
      className="grid gap-12"
      onInput={(event) => tell.current(readForm(event.currentTarget))}
    >
      {wasPressed || lastResult ? (
        <FormSummary
          errors={listed}
          attempt={attempt}
          {...(hasMissingFields(errors) ? { title: REQUIRED_FIELDS_TEXT } : {})}
        />
      ) : null}
      <fieldset className="grid gap-6" disabled={closing}>
        <legend className="mb-6 text-xl">About the business</legend>
        <TextField
          label="Name"
          maxLength={MAX_NAME_LENGTH}
          autoComplete="organization"
          error={fields.name.errors}
          control={getInputProps(fields.name, { type: 'text' })}
        />
        <SelectField
          label="Category"
          placeholder="Choose one"
          options={CATEGORIES.map((category) => ({ value: category, label: category }))}
          error={fields.category.errors}
          id={fields.category.id}
          name={fields.category.name}
          defaultValue={start.category}
          onChange={(event) => chooseCategory(event.currentTarget.value)}
        />
        <TextAreaField
          label="Description"
          hint="What you offer, for how many people, and what the price includes. The first 150 characters show in search results."
          rows={6}
          maxLength={MAX_DESCRIPTION_LENGTH}
          error={fields.description.errors}
          control={getTextareaProps(fields.description)}
        />
        <TextField
          label="Services offered"
          hint="With commas between them: Tables and chairs, Bar staff, Parking"
          autoComplete="off"
          error={fields.servicesOffered.errors}
          control={getInputProps(fields.servicesOffered, { type: 'text' })}
        />
        <PlaceField
          label="Location"
          hint="Suburb or town and state. Your street stays private."
          error={fields.location.errors}
          control={getInputProps(fields.location, { type: 'text' })}
        />
      </fieldset>

      <fieldset className="grid gap-6" disabled={closing}>
        <legend className="mb-6 text-xl">Price</legend>
        <div className="grid items-start gap-6 sm:grid-cols-2">
          <TextField
            label="Price"
            prefix="$"
            hint="Including GST. 0 shows ‘Price on request’."
            inputMode="decimal"
            autoComplete="off"
            error={fields.price.errors}
            control={getInputProps(fields.price, { type: 'text' })}
            onInput={(event) => setPrice(event.currentTarget.value)}
          />
          <div className="field">
            <span className="field-label" aria-hidden="true">
              The price is
            </span>
            <p className="field-hint">What one of it buys.</p>
            <div>
              <SegmentedControl
                label="The price is"
                name="priceUnit"
                value={units.unit ?? ''}
                onChange={(unit) => chooseUnit(unit as PriceUnit)}
                options={PRICE_UNITS.map((unit) => ({ value: unit, label: UNIT_LABELS[unit] }))}
              />
            </div>
          </div>
        </div>
        <fieldset className="field" aria-describedby="booking-types-sentence">
          <legend className="field-label unstyled-legend">Customers can book</legend>
          <div className="flex flex-wrap gap-x-10">
            {PRICE_UNITS.map((type) => (
              <CheckboxField
                key={type}
                label={UNIT_LABELS[type]}
                name="bookingTypes"
                value={type}
                checked={units.types.includes(type)}
                onChange={(event) => chooseType(type, event.currentTarget.checked)}
              />
            ))}
          </div>
          <FieldError id="booking-types-error" message={fields.bookingTypes.errors?.[0]} />
          {unpricedUnit && !units.types.includes(unpricedUnit) ? (
            <Banner>
              <p>
                {bookedByOneUnitText(otherUnit(unpricedUnit))} {addPriceText(unpricedUnit)}
              </p>
            </Banner>
          ) : null}
        </fieldset>
        {/* The style sheet shows it, so that it comes and goes without JavaScript too. */}
        <div className="hidden items-start gap-6 sm:grid-cols-2 [fieldset:has([value=perPerson]:checked):has([value=perHour]:checked)_&]:grid">
          <TextField
            label={secondPriceLabel(secondUnit)}
            prefix="$"
            hint="Including GST."
            inputMode="decimal"
            autoComplete="off"
            error={fields.secondPrice.errors}
            control={getInputProps(fields.secondPrice, { type: 'text' })}
            onInput={(event) => setSecondPrice(event.currentTarget.value)}
          />
        </div>
        <p id="booking-types-sentence" className="field-hint figures empty:hidden" aria-live="polite">
          {priceSentence(prices, units.unit)}
        </p>
      </fieldset>

      <fieldset className="grid gap-6" disabled={closing}>
        <legend className="mb-6 text-xl">Images</legend>
        {storedImages(images).map((image) => (
          <input key={image.url} type="hidden" name="images" value={image.url} />
        ))}
        <ImagePicker
          images={images}
          error={imageError}
          disabled={closing || pending}
          onFiles={uploads.addFiles}
          onRemove={uploads.remove}
          onMove={uploads.move}
          onRetry={uploads.retry}
        />
      </fieldset>

      <div className="grid gap-4">
        {problem ? (
          <div className="notice notice-error" role="alert">
            <CircleAlert aria-hidden="true" />
            <p>{problem}</p>
          </div>
        ) : null}
        <div className="flex flex-wrap gap-3">
          <Button
            type="submit"
            variant="primary"
            size="large"
            className="grow sm:grow-0"
            pending={pending || closing || isSending}
            pendingText={isSending ? 'Sending images...' : 'Saving...'}
            onClick={countPress}
          >
            {submitLabel}
          </Button>
          <Button size="large" disabled={closing} onClick={onCancel}>
            Cancel
          </Button>
        </div>
      </div>
    </form>
  )
}

/** What the choices mean for a customer: a price per hour that was meant per person would cost the vendor dearly. */
function priceSentence(
  prices: readonly { unit: PriceUnit; cents: Cents | null }[],
  first: PriceUnit | null,
): string {
  if (prices.some(({ unit, cents }) => unit === first && cents === 0))
    return `Customers see ‘${PRICE_ON_REQUEST_TEXT}’ and can’t book online.`
  const known = prices.flatMap(({ unit, cents }) => (cents ? [unitPriceText(cents, unit)] : []))
  return known.length > 0 ? `Customers pay ${known.join(', or ')}.` : ''
}
