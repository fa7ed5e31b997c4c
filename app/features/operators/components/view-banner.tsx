import { href } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'

/** Above every page that an operator sees as another account, with the button that stops it. Works without a script. */
export function ViewBanner({ brand, name }: { brand: string; name: string }) {
  return (
    <aside aria-label="You are seeing another account">
      <Banner tone="error" strip>
        <form method="post" action={href('/operations/see-as/:step?', { step: 'stop' })}>
          You are seeing {brand} as {name}. Nothing can be changed.{' '}
          <button type="submit" className="link">
            Stop
          </button>
        </form>
      </Banner>
    </aside>
  )
}
