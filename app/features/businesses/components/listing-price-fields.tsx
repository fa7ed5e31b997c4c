import { getInputProps } from '@conform-to/react'
import { type Cents, PRICE_UNITS, type PriceUnit, type UnitPrice } from '../../../shared/money.ts'
import { Banner } from '../../../ui/banner.tsx'
import { CheckboxField, FieldError, TextField } from '../../../ui/field.tsx'
import type { FieldsOf } from '../../../ui/schema-form.ts'
import { SegmentedControl } from '../../../ui/tabs.tsx'
import type { ListingDraft } from '../browser/listing-draft.ts'
import type { useListingUnits } from '../browser/use-listing-units.ts'
import { addPriceText, bookedByOneUnitText, secondPriceLabel, UNIT_LABELS } from '../listing-messages.ts'
import { PRICE_ON_REQUEST_TEXT, unitPriceText } from '../messages.ts'
import { otherUnit } from '../rules.ts'

type PartProps = {
  fields: FieldsOf<ListingDraft>
  choice: ReturnType<typeof useListingUnits>
  /** A booking type of the stored listing that has no price. */
  unpricedUnit: PriceUnit | null
}

/** The prices and booking types of the listing form (Decisions 5 and 28). */
export function PriceFields({
  fields,
  choice,
  unpricedUnit,
  disabled,
  receiveText,
}: PartProps & {
  disabled: boolean
  /** The vendor's share of these prices, in words. Null while vendors aren't paid by us. */
  receiveText: ((prices: readonly UnitPrice[]) => string) | null
}) {
  const { units, prices, typePrice } = choice
  const secondUnit = units.unit && otherUnit(units.unit)
  return (
    <fieldset className="grid gap-6" disabled={disabled}>
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
          onInput={(event) => typePrice({ price: event.currentTarget.value })}
        />
        <div className="field">
          <span className="field-label" aria-hidden="true">
            The price is
          </span>
          <p className="field-hint">Choose the unit: one guest or one hour.</p>
          <div>
            <SegmentedControl
              label="The price is"
              name="priceUnit"
              value={units.unit ?? ''}
              onChange={(unit) => choice.chooseUnit(unit as PriceUnit)}
              options={PRICE_UNITS.map((unit) => ({ value: unit, label: UNIT_LABELS[unit] }))}
            />
          </div>
        </div>
      </div>
      <BookableFields fields={fields} choice={choice} unpricedUnit={unpricedUnit} />
      {/* CSS shows and hides the second price, so that it works without JavaScript too. */}
      <div className="hidden items-start gap-6 sm:grid-cols-2 [fieldset:has([value=perPerson]:checked):has([value=perHour]:checked)_&]:grid">
        <TextField
          label={secondPriceLabel(secondUnit)}
          prefix="$"
          hint="Including GST."
          inputMode="decimal"
          autoComplete="off"
          error={fields.secondPrice.errors}
          control={getInputProps(fields.secondPrice, { type: 'text' })}
          onInput={(event) => typePrice({ secondPrice: event.currentTarget.value })}
        />
      </div>
      <p id="booking-types-sentence" className="field-hint figures empty:hidden" aria-live="polite">
        {priceSentence(prices, units.unit)}
      </p>
      {receiveText ? (
        <p className="field-hint figures -mt-4 empty:hidden" aria-live="polite">
          {receiveText(prices.flatMap(({ unit, cents }) => (cents ? [{ unit, cents }] : [])))}
        </p>
      ) : null}
    </fieldset>
  )
}

function BookableFields({ fields, choice, unpricedUnit }: PartProps) {
  const { types } = choice.units
  return (
    <fieldset className="field" aria-describedby="booking-types-sentence">
      <legend className="field-label unstyled-legend">Customers can book</legend>
      <div className="flex flex-wrap gap-x-10">
        {PRICE_UNITS.map((type) => (
          <CheckboxField
            key={type}
            label={UNIT_LABELS[type]}
            name="bookingTypes"
            value={type}
            checked={types.includes(type)}
            onChange={(event) => choice.chooseType(type, event.currentTarget.checked)}
          />
        ))}
      </div>
      <FieldError id="booking-types-error" message={fields.bookingTypes.errors?.[0]} />
      {unpricedUnit && !types.includes(unpricedUnit) ? (
        <Banner>
          <p>
            {bookedByOneUnitText(otherUnit(unpricedUnit))} {addPriceText(unpricedUnit)}
          </p>
        </Banner>
      ) : null}
    </fieldset>
  )
}

/** Spells the prices out, since a price per hour that was meant per person would cost the vendor dearly. */
function priceSentence(
  prices: readonly { unit: PriceUnit; cents: Cents | null }[],
  first: PriceUnit | null,
): string {
  if (prices.some(({ unit, cents }) => unit === first && cents === 0))
    return `Customers see ‘${PRICE_ON_REQUEST_TEXT}’ and can’t book online.`
  const known = prices.flatMap(({ unit, cents }) => (cents ? [unitPriceText(cents, unit)] : []))
  return known.length > 0 ? `Customers pay ${known.join(', or ')}.` : ''
}
