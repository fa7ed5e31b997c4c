import { type ReactNode, useRef } from 'react'
import { formatDay, type LocalDate } from '../../../shared/dates.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { ModalDialog } from '../../../ui/modal-dialog.tsx'
import type { ShownEntry } from './calendar-entry.tsx'

/**
 * The dialog with a day's entries. It keeps its content while it closes.
 * @param day null while the dialog is closed
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
  /** The opening hours of that day. */
  hoursText: string
  onBlock: (day: LocalDate) => void
  onClose: () => void
  /** Renders one entry. */
  children: (entry: ShownEntry) => ReactNode
}) {
  const latest = useRef({ day, entries, hoursText })
  if (day) latest.current = { day, entries, hoursText }
  const content = latest.current
  return (
    <ModalDialog
      open={day !== null}
      title={content.day && formatDay(content.day)}
      text={content.hoursText}
      onClose={onClose}
    >
      {content.day ? (
        <>
          {content.entries.length > 0 ? (
            <ul className="grid gap-5 border-t border-line pt-5">
              {content.entries.map((entry) => (
                <li key={entry.id}>{children(entry)}</li>
              ))}
            </ul>
          ) : (
            <p className="border-t border-line pt-5 text-quiet">Nothing on this day.</p>
          )}
          <div className="dialog-actions">
            <Button icon={<Icon name="lock" />} onClick={() => onBlock(content.day as LocalDate)}>
              Block time
            </Button>
          </div>
        </>
      ) : null}
    </ModalDialog>
  )
}
