import type { ReactNode } from 'react'
import { href } from 'react-router'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { useIsReadOnly } from '../../../ui/read-only.tsx'
import { ALL_BUSINESSES } from '../calendar-rules.ts'
import { ChoiceLinks } from './choice-links.tsx'

/**
 * The head of the vendor's three time screens: bookings, calendar and availability.
 * @param about a line below the title
 * @param choice the choice of the business
 */
export function VendorTimeHead({
  title,
  about,
  choice,
}: {
  title: string
  about: ReactNode
  choice: ReactNode
}) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
      <div>
        <h1 className="text-3xl md:text-4xl">{title}</h1>
        {about}
      </div>
      {choice}
    </div>
  )
}

/** The choice of the business that a screen shows. Renders nothing where there is only one. */
export function BusinessChoice({
  options,
  businessId,
  onSwitch,
}: {
  options: readonly { value: string; label: string }[]
  businessId: string
  onSwitch: (businessId: string) => void
}) {
  const isReadOnly = useIsReadOnly()
  if (options.length === 0) return null
  return isReadOnly ? (
    <ChoiceLinks
      label="Business"
      options={options}
      value={businessId}
      toOf={(value) => `?${new URLSearchParams({ business: value })}`}
    />
  ) : (
    <SelectField
      label="Business"
      className="w-full sm:w-72"
      value={businessId}
      onChange={(event) => onSwitch(event.currentTarget.value)}
      options={options}
    />
  )
}

/** The head of the screens that always show one business, with its time zone. */
export function BusinessTimeHead({
  title,
  businesses,
  business,
  zone,
  onSwitch,
}: {
  title: string
  businesses: readonly { id: string; name: string }[]
  business: { id: string; name: string }
  zone: string
  onSwitch: (businessId: string) => void
}) {
  return (
    <VendorTimeHead
      title={title}
      about={
        <p className="mt-2 text-quiet">
          {businesses.length > 1 ? '' : `${business.name} · `}
          {zone}
        </p>
      }
      choice={
        <BusinessChoice
          options={businessOptions(businesses, { withAll: false })}
          businessId={business.id}
          onSwitch={onSwitch}
        />
      }
    />
  )
}

/**
 * The options of the choice of a business; empty when there is only one.
 * @param withAll whether the screen can also show all
 */
export function businessOptions(
  businesses: readonly { id: string; name: string }[],
  { withAll }: { withAll: boolean },
) {
  if (businesses.length <= 1) return []
  const each = businesses.map(({ id, name }) => ({ value: id, label: name }))
  return withAll ? [{ value: ALL_BUSINESSES, label: 'All' }, ...each] : each
}

/** Replaces the screen while the vendor has no business. */
export function NothingToBook({ title, text }: { title: string; text: string }) {
  return (
    <>
      <h1 className="text-3xl md:text-4xl">{title}</h1>
      <EmptyState
        title="Nothing to book yet"
        text={text}
        action={
          <ButtonLink variant="primary" to={href('/dashboard/list-business/new')}>
            List Your Business
          </ButtonLink>
        }
      />
    </>
  )
}
