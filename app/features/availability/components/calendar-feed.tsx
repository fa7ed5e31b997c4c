import { useId } from 'react'
import { formatDay } from '../../../shared/dates.ts'
import { Button } from '../../../ui/button.tsx'
import { CheckboxField, TextField } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useKeptFocus } from '../../../ui/kept-focus.ts'
import { useCopy } from '../../../ui/use-copy.ts'

/**
 * The secret address of the business's calendar feed.
 * @param feed null without a feed. `since` is the day on which it was made, by the place's clock
 * @param address the full address, known only right after it was made, since only its hash is stored
 */
export function CalendarFeed(props: FeedProps) {
  // Making the first address replaces its button by the address, and revoking it replaces that one again.
  const box = useKeptFocus<HTMLDivElement>()
  return (
    <div ref={box}>
      <FeedControls {...props} />
    </div>
  )
}

type FeedProps = {
  feed: { since: string; showsNames: boolean } | null
  address: string | null
  pending: 'make' | 'revoke' | 'names' | null
  /** The new state of the switch until it is saved; null otherwise. */
  wantsNames: boolean | null
  onMake: () => void
  onRevoke: () => void
  onNames: (showsNames: boolean) => void
}

function FeedControls({ feed, address, pending, wantsNames, onMake, onRevoke, onNames }: FeedProps) {
  if (!feed) {
    return (
      <Button
        icon={<Icon name="link-2" />}
        pending={pending === 'make'}
        pendingText="Making the address..."
        onClick={onMake}
      >
        Make a secret address
      </Button>
    )
  }
  return (
    <div className="grid max-w-column gap-5">
      {address ? (
        <FeedAddress address={address} />
      ) : (
        <p>
          Made on {formatDay(feed.since)}. Anyone with the address can read your bookings. We can’t show it
          again, but you can renew it.
        </p>
      )}
      <CheckboxField
        label="Show customers’ names"
        hint="When off, it shows only ‘Booking’ and the time."
        checked={wantsNames ?? feed.showsNames}
        aria-disabled={pending !== null || undefined}
        onChange={(event) => {
          if (pending === null) onNames(event.currentTarget.checked)
        }}
      />
      <div className="flex flex-wrap gap-3">
        <Button
          icon={<Icon name="rotate-cw" />}
          pending={pending === 'make'}
          pendingText="Renewing..."
          waiting={pending !== null}
          onClick={onMake}
        >
          Renew address
        </Button>
        <Button
          variant="danger"
          icon={<Icon name="unlink" />}
          pending={pending === 'revoke'}
          pendingText="Revoking..."
          waiting={pending !== null}
          onClick={onRevoke}
        >
          Revoke address
        </Button>
      </div>
    </div>
  )
}

/** The full address, to copy or open. */
function FeedAddress({ address }: { address: string }) {
  const id = useId()
  const { field, copy } = useCopy(address, {
    copied: 'Copied.',
    selected: 'The address is selected. Copy it yourself.',
  })
  return (
    <div className="grid gap-3" role="status">
      <TextField
        id={`${id}-address`}
        label="Your secret address"
        hint="Copy it now. We only show it once."
        {...field}
      />
      <div className="flex flex-wrap gap-3">
        <Button variant="brand" icon={<Icon name="copy" />} onClick={() => void copy()}>
          Copy
        </Button>
        <a className="button button-quiet px-4" href={address.replace(/^https?:/, 'webcal:')}>
          Open in your calendar
        </a>
      </div>
    </div>
  )
}
