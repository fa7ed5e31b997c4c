import { href, useFetcher, useRevalidator } from 'react-router'
import { formatDay, HOME_ZONE } from '../../../../shared/dates.ts'
import { Button } from '../../../../ui/button.tsx'
import { CONNECTION_FAILED_TEXT } from '../../../../ui/connection.ts'
import { useDialogs } from '../../../../ui/dialog.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { useIsReadOnly } from '../../../../ui/read-only.tsx'
import { showToast } from '../../../../ui/toast.tsx'
import { useAnswer } from '../../../../ui/use-answer.ts'
import { useMounted } from '../../../../ui/use-mounted.ts'
import type { BlockAnswer } from '../../../availability/schema.ts'
import { STATUS_UPDATE_FAILED, WITHDRAWN_MEANWHILE } from '../../messages.ts'
import type { VendorBooking } from '../../rules.ts'
import {
  blockDayLabel,
  DAY_BLOCKED,
  DAY_NOT_BLOCKED,
  DECLINE_TOLD,
  DECLINE_UNDONE,
  notToldText,
  UNDO_DECLINE,
} from '../messages.ts'

export type UndoAnswer =
  | { ok: true }
  | { ok: false; reason: 'not_found' | 'withdrawn' | 'decline_told' | 'not_reached' | 'failed' }

const UNDO_REFUSALS = {
  decline_told: DECLINE_TOLD,
  withdrawn: WITHDRAWN_MEANWHILE,
} as const

/**
 * Tells the vendor that the customer doesn't know of a decline yet, with the way back. For a day that is already booked it offers
 * to block the day.
 * @param onUndone called once the decline is taken back
 */
export function GraceNote({ booking, onUndone }: { booking: VendorBooking; onUndone: () => void }) {
  const isMounted = useMounted()
  const isReadOnly = useIsReadOnly()
  const undoing = useUndo(onUndone)
  const { waiting, listed } = booking
  if (!waiting) return null
  // The server can't tell the vendor's time zone, so it renders east coast time until the browser takes over.
  const zone = isMounted ? Intl.DateTimeFormat().resolvedOptions().timeZone : HOME_ZONE
  return (
    <section
      aria-label="Decline not told yet"
      className="mt-4 rounded-card border border-line bg-surface p-4"
    >
      <p className="max-w-prose">{notToldText(listed.name, waiting.tellsAt, zone)}</p>
      {isReadOnly ? null : (
        <div className="mt-3 flex flex-wrap gap-3">
          <undoing.Form method="post" className="flex grow sm:grow-0">
            <input type="hidden" name="intent" value="undo-decline" />
            <input type="hidden" name="bookingId" value={booking.id} />
            <Button
              type="submit"
              className="grow sm:min-w-36"
              pending={undoing.state !== 'idle'}
              pendingText="Undoing..."
            >
              {UNDO_DECLINE}
            </Button>
          </undoing.Form>
          {waiting.code === 'already_booked' ? <BlockDay booking={booking} /> : null}
        </div>
      )}
    </section>
  )
}

function useUndo(onUndone: () => void) {
  const fetcher = useFetcher<UndoAnswer>()
  const { alert } = useDialogs()
  const { revalidate } = useRevalidator()
  useAnswer(fetcher, (answer) => {
    if (answer.ok) {
      onUndone()
      return showToast({ type: 'success', text: DECLINE_UNDONE })
    }
    if (answer.reason === 'decline_told' || answer.reason === 'withdrawn') {
      // React Router doesn't revalidate after a response with a status of 400 or more.
      void revalidate()
      return void alert(UNDO_REFUSALS[answer.reason])
    }
    const why = answer.reason === 'not_reached' ? `. ${CONNECTION_FAILED_TEXT}` : ''
    showToast({ type: 'error', text: `${STATUS_UPDATE_FAILED}${why}` })
  })
  return fetcher
}

/** The button that blocks the whole day of a booking in its business's calendar. */
function BlockDay({ booking: { listed } }: { booking: VendorBooking }) {
  const fetcher = useFetcher<BlockAnswer>()
  useAnswer(fetcher, (answer) =>
    showToast(answer.ok ? { type: 'success', text: DAY_BLOCKED } : { type: 'error', text: DAY_NOT_BLOCKED }),
  )
  const { businessId, date } = listed
  if (fetcher.data?.ok) return null
  return (
    <Button
      className="grow sm:grow-0"
      icon={<Icon name="lock" />}
      pending={fetcher.state !== 'idle'}
      pendingText="Blocking..."
      onClick={() =>
        void fetcher.submit(
          { businessId, from: date, to: date },
          { method: 'post', action: href('/dashboard/calendar') },
        )
      }
    >
      {blockDayLabel(formatDay(date))}
    </Button>
  )
}
