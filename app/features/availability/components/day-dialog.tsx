import { Lock, X } from 'lucide-react'
import { type ReactNode, useId, useRef } from 'react'
import { formatDay, type LocalDate } from '../../../shared/dates.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { isBeside, useModal } from '../../../ui/modal.ts'
import type { ShownEntry } from './calendar-entry.tsx'
import '../../../ui/dialog.css'

/**
 * Everything of one day. It stays as it was while it closes.
 * @param day null while it is closed
 */
export function DayDialog({
  day,
  entries,
  hoursText,
  onBlock,
  onClose,
  children,
}: {
  day: LocalDate | null
  entries: readonly ShownEntry[]
  /** When the business is open that day. */
  hoursText: string
  onBlock: (day: LocalDate) => void
  onClose: () => void
  /** Draws one thing. */
  children: (entry: ShownEntry) => ReactNode
}) {
  const id = useId()
  const dialog = useModal(day !== null)
  const latest = useRef({ day, entries, hoursText })
  if (day) latest.current = { day, entries, hoursText }
  const shown = latest.current
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, as the browser has it
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={`${id}-title`}
      onClose={onClose}
      onClick={(event) => {
        if (isBeside(event)) onClose()
      }}
    >
      {shown.day ? (
        <>
          <div className="dialog-head">
            <div>
              <h2 id={`${id}-title`}>{formatDay(shown.day)}</h2>
              <p className="figures mt-1 text-sm text-quiet">{shown.hoursText}</p>
            </div>
            <IconButton label="Close" onClick={onClose}>
              <X aria-hidden="true" />
            </IconButton>
          </div>
          {shown.entries.length > 0 ? (
            <ul className="grid gap-5 border-t border-line pt-5">
              {shown.entries.map((entry) => (
                <li key={entry.id}>{children(entry)}</li>
              ))}
            </ul>
          ) : (
            <p className="border-t border-line pt-5 text-quiet">Nothing on this day.</p>
          )}
          <div className="dialog-actions">
            <Button icon={<Lock aria-hidden="true" />} onClick={() => onBlock(shown.day as LocalDate)}>
              Block time
            </Button>
          </div>
        </>
      ) : null}
    </dialog>
  )
}
