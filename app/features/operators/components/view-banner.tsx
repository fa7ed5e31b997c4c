import { href } from 'react-router'
import { formatInstant } from '../../../shared/dates.ts'
import { Banner } from '../../../ui/banner.tsx'
import { OPERATIONS_ZONE } from '../messages.ts'

/** Above every page that an operator sees as another account, with the button that stops it. Works without a script. */
export function ViewBanner({ brand, name, until }: { brand: string; name: string; until: string }) {
  return (
    <aside aria-label="You are seeing another account">
      <Banner tone="error" strip>
        <form method="post" action={href('/operations/see-as/:step?', { step: 'stop' })}>
          You are seeing {brand} as {name}. Nothing can be changed. Until{' '}
          {formatInstant(new Date(until), OPERATIONS_ZONE)}.{' '}
          <button type="submit" className="link">
            Stop
          </button>
        </form>
      </Banner>
    </aside>
  )
}
