import { href } from 'react-router'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { withNext } from '../../accounts/rules.ts'
import { LISTINGS_HEADING, LOG_IN_TO_LIST_TEXT } from '../listing-messages.ts'

/** Replaces the listings and their form for a signed-out visitor (Decision 15). */
export function ListingLoggedOut({ next }: { next: string }) {
  return (
    <>
      <h1 className="unseen">{LISTINGS_HEADING}</h1>
      <EmptyState
        text={LOG_IN_TO_LIST_TEXT}
        action={
          <ButtonLink variant="primary" to={withNext(href('/login'), next)}>
            Log In
          </ButtonLink>
        }
      />
    </>
  )
}
