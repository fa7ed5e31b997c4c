import { type MouseEvent, useEffect, useRef } from 'react'

/** Opens and closes a native dialog element to match a flag. */
export function useModal(open: boolean) {
  const dialog = useRef<HTMLDialogElement>(null)
  const opened = useRef(false)
  useEffect(() => {
    const element = dialog.current
    if (!element) return
    if (open && !element.open) element.showModal()
    // A dialog that the browser opened by a command before this ran stays open.
    if (!open && opened.current && element.open) element.close()
    opened.current = open
  }, [open])
  return dialog
}

/** Whether a press hit a dialog's backdrop, whose events target the dialog itself. */
export function isBeside(event: MouseEvent<HTMLDialogElement>): boolean {
  if (event.target !== event.currentTarget) return false
  const box = event.currentTarget.getBoundingClientRect()
  const { clientX: x, clientY: y } = event
  // A key press on a button arrives as a click at 0,0, but its target is the button, so it never gets here.
  return x < box.left || x > box.right || y < box.top || y > box.bottom
}
