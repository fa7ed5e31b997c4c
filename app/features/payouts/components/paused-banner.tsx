import { href, useLocation } from 'react-router'
import type { LocalDate } from '../../../shared/dates.ts'
import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { neededByText, SETUP_BANNERS } from '../setup-messages.ts'

/** That the provider has paused a vendor's payouts. `dueOn` is the day by which it wanted what is missing. */
export type PausedPayouts = { dueOn: LocalDate | null; today: LocalDate }

const PAYOUTS = href('/dashboard/payouts')

/** Says on every screen of the dashboard that payouts are paused. The payouts screens say it themselves. */
export function PausedBanner({ paused }: { paused: PausedPayouts | null }) {
  const { pathname } = useLocation()
  if (!paused || pathname === PAYOUTS || pathname.startsWith(`${PAYOUTS}/`)) return null
  const { title, text, action } = SETUP_BANNERS.paused
  return (
    <div className="mb-8">
      <Banner
        tone="error"
        title={title}
        action={
          <ButtonLink size="small" to={href('/dashboard/payouts/setup')}>
            {action}
          </ButtonLink>
        }
      >
        {text}
        {neededByText(paused.dueOn, paused.today)}
      </Banner>
    </div>
  )
}
