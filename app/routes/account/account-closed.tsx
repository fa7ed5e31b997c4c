import { href, Link } from 'react-router'
import { AccountPage } from '../../features/accounts/components/account-page.tsx'
import { CLOSED_TEXTS, type ClosedHow } from '../../features/privacy/messages.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { ButtonLink } from '../../ui/button.tsx'
import type { Route } from './+types/account-closed'

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  privateMeta(loaderData ? CLOSED_TEXTS[loaderData.how].title : '', matches[0]?.loaderData)

/**
 * The page after signing out for longer: by deleting or deactivating the account, or everywhere. It knows no account,
 * so it only confirms what was done.
 */
export function loader({ url }: Route.LoaderArgs): { how: ClosedHow } {
  const how = url.searchParams.get('how')
  return { how: how === 'deleted' || how === 'deactivated' ? how : 'signed-out' }
}

export default function AccountClosed({ loaderData: { how } }: Route.ComponentProps) {
  const { title, text } = CLOSED_TEXTS[how]
  return (
    <AccountPage title={title} picture="hero-1/see-you">
      <p>{text}</p>
      <div className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-3">
        <ButtonLink to={href('/')} variant="primary" size="large">
          Go to home page
        </ButtonLink>
        {how === 'deleted' ? null : (
          <Link className="link" to={href('/login')}>
            Log In
          </Link>
        )}
      </div>
    </AccountPage>
  )
}
