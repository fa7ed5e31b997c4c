import { useFetcher, useRevalidator } from 'react-router'
import { Button } from '../../../../ui/button.tsx'
import { CONNECTION_FAILED_TEXT } from '../../../../ui/connection.ts'
import { useDialogs } from '../../../../ui/dialog.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { showToast } from '../../../../ui/toast.tsx'
import { useAnswer } from '../../../../ui/use-answer.ts'
import { GIVE_MORE_TIME, MORE_TIME_FAILED, moreTimeText, NOT_EXTENDABLE } from '../../messages.ts'

export type ExtendAnswer =
  /** `until` is ISO 8601, UTC. */
  | { ok: true; until: string }
  | { ok: false; reason: 'not_found' | 'not_extendable' | 'not_reached' | 'failed' }

/**
 * Gives the customer more time for an unpaid balance, once. Works without JavaScript: the booking then says until when.
 * @param canExtend whether the button shows. The component stays, so that it can report what became of a press
 * @param onExtended called once the extension is stored
 */
export function ExtendButton({
  bookingId,
  canExtend,
  timeZone,
  onExtended,
}: {
  bookingId: string
  canExtend: boolean
  timeZone: string
  onExtended: () => void
}) {
  const fetcher = useFetcher<ExtendAnswer>()
  const { alert } = useDialogs()
  const { revalidate } = useRevalidator()
  useAnswer(fetcher, (answer) => {
    if (answer.ok) {
      onExtended()
      const text = moreTimeText(answer.until, timeZone)
      showToast({ type: 'success', text })
    } else if (answer.reason === 'not_extendable') {
      // React Router doesn't revalidate after a response with a status of 400 or more.
      void revalidate()
      void alert(NOT_EXTENDABLE)
    } else {
      const why = answer.reason === 'not_reached' ? ` ${CONNECTION_FAILED_TEXT}` : ''
      showToast({ type: 'error', text: `${MORE_TIME_FAILED}${why}` })
    }
  })

  if (!canExtend) return null
  return (
    <fetcher.Form method="post" className="mt-3">
      <input type="hidden" name="intent" value="extend" />
      <input type="hidden" name="bookingId" value={bookingId} />
      <Button
        type="submit"
        icon={<Icon name="calendar-plus" />}
        pending={fetcher.state !== 'idle'}
        pendingText="Giving more time..."
      >
        {GIVE_MORE_TIME}
      </Button>
    </fetcher.Form>
  )
}
