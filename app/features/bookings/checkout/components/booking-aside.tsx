import { formatDay, formatTime, isLocalDate, isLocalTime } from '../../../../shared/dates.ts'
import { type Cents, formatMoney } from '../../../../shared/money.ts'
import { Picture, type PictureImage } from '../../../../ui/picture.tsx'

/**
 * The summary of a booking, beside the form and the card. Screen readers announce a changed total.
 * @param compactOnPhone smaller on a phone, where the total stands elsewhere
 */
export function BookingAside({
  vendor,
  date,
  time,
  span,
  price,
  totalCents,
  payText,
  compactOnPhone,
  children,
}: {
  vendor: { name: string; location?: string | undefined; picture: PictureImage | null }
  date?: string | undefined
  time?: string | undefined
  /** The agreed event from start to end, which replaces date and time. */
  span?: string | null | undefined
  /** The calculation of the total, or the unit price while there is no quantity. */
  price: string
  totalCents: Cents | null
  /** '$3,190.00 today, the rest on 14 October 2027'; null for a total that is paid at once. */
  payText?: string | null
  compactOnPhone?: boolean
  children?: React.ReactNode
}) {
  const day = date && isLocalDate(date) ? formatDay(date) : null
  const hour = time && isLocalTime(time) ? formatTime(time) : null
  const when = span ?? (day && hour ? `${day}, ${hour}` : day)
  const detail = compactOnPhone ? 'hidden md:block' : undefined
  return (
    <aside
      aria-label="Your booking"
      className="rounded-card border border-line bg-surface p-4 md:sticky md:top-[calc(var(--header-height)+24px)] md:p-6"
    >
      <div className="flex items-center gap-4 md:block">
        <Picture
          image={vendor.picture}
          alt=""
          sizes="(min-width: 769px) 320px, 88px"
          ratio="4 / 3"
          className="w-22 flex-none md:w-full"
        />
        <div className="min-w-0 md:mt-5">
          <p className="font-display text-lg leading-tight [overflow-wrap:anywhere]">{vendor.name}</p>
          {vendor.location ? <p className="mt-0.5 text-sm text-quiet">{vendor.location}</p> : null}
          {compactOnPhone ? (
            <div className="figures mt-0.5 text-sm text-quiet md:hidden">
              {when ? <p>{when}</p> : null}
              <p>{price}</p>
            </div>
          ) : null}
        </div>
      </div>
      <div className={detail}>
        <dl className="figures mt-5 grid gap-2 border-t border-line pt-5">
          <div>
            <dt className="unseen">When</dt>
            <dd>{when ?? <span className="text-quiet">Choose a date</span>}</dd>
          </div>
          <div>
            <dt className="unseen">Price</dt>
            <dd className="text-quiet">{price}</dd>
          </div>
          <div className="mt-2 flex items-baseline justify-between gap-4 border-t border-line pt-4">
            <dt className="font-semibold">Total</dt>
            <dd className="price text-2xl" aria-live="polite">
              {totalCents === null ? '–' : formatMoney(totalCents)}
            </dd>
          </div>
        </dl>
        {payText ? <p className="figures text-sm">{payText}</p> : null}
        <p className="mt-1 text-xs text-quiet">Australian dollars, GST included where it applies.</p>
      </div>
      {children}
    </aside>
  )
}
