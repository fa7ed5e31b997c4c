import type { HidingParty } from '../../businesses/rules.ts'
import { OperationForm } from './operation-form.tsx'

/**
 * Hiding a listing, or showing one again that an operator has hidden. One hidden with its account has neither.
 * @param props.isNamed on a page about something else: the button says what it hides
 */
export function ListingOperation({
  id,
  hiddenBy,
  isNamed = false,
}: {
  id: string
  hiddenBy: HidingParty | null
  isNamed?: boolean
}) {
  if (hiddenBy === 'disabling' || hiddenBy === 'deactivation') return null
  if (hiddenBy === 'operator')
    return (
      <OperationForm act="show-listing" id={id} {...(isNamed ? { label: 'Show the listing again' } : {})} />
    )
  return <OperationForm act="hide-listing" id={id} {...(isNamed ? { label: 'Hide the listing' } : {})} />
}
