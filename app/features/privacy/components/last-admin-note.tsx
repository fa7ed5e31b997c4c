import { href } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { LAST_ADMIN_TEXTS } from '../messages.ts'

/** Tells the last admin what to do before their account can be closed. */
export function LastAdminNote() {
  const { title, text, action } = LAST_ADMIN_TEXTS
  return (
    <section className="mt-8 grid gap-5" aria-label={title}>
      <div role="alert">
        <Banner title={title}>{text}</Banner>
      </div>
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={href('/operations/people')}>{action}</ButtonLink>
        <ButtonLink to={href('/settings-privacy')} variant="quiet">
          Keep my account
        </ButtonLink>
      </div>
    </section>
  )
}
