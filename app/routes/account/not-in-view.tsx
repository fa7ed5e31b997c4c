import { href } from 'react-router'
import { privateMeta } from '../../shared/page-meta.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import type { Route } from './+types/not-in-view'

const TITLE = 'You don’t see this page'

export const meta: Route.MetaFunction = ({ matches }) => privateMeta(TITLE, matches[0]?.loaderData)

/** The page in place of a page that isn't part of an operator's view of another account. The same for everybody. */
export default function NotInView() {
  return (
    <div className="page section">
      <EmptyState
        heading="h1"
        title={TITLE}
        text="An operator who sees the site as someone else doesn’t see their payment details, messages, files, settings or booking links."
        action={<ButtonLink to={href('/userdashboard/user')}>Their overview</ButtonLink>}
      />
    </div>
  )
}
