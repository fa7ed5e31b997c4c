import { type ReactNode, useId } from 'react'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'
import { isBeside, useModal } from './modal.ts'
import './dialog.css'

/**
 * A modal dialog with a title, closed by Escape or a press beside it.
 * @param props.title null while there is nothing to show
 * @param props.text a line below the title
 * @param props.closeButton whether it also has a 'Close' button
 */
export function ModalDialog({
  open,
  title,
  text,
  closeButton = true,
  onClose,
  children,
}: {
  open: boolean
  title: string | null
  text?: string
  closeButton?: boolean
  onClose: () => void
  children: ReactNode
}) {
  const id = useId()
  const dialog = useModal(open)
  const heading = <h2 id={id}>{title}</h2>
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes it on Escape
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => {
        if (isBeside(event)) onClose()
      }}
    >
      {title === null ? null : closeButton ? (
        <div className="dialog-head">
          {text ? (
            <div>
              {heading}
              <p className="figures mt-1 text-sm text-quiet">{text}</p>
            </div>
          ) : (
            heading
          )}
          <IconButton label="Close" onClick={onClose}>
            <Icon name="x" />
          </IconButton>
        </div>
      ) : (
        heading
      )}
      {children}
    </dialog>
  )
}
