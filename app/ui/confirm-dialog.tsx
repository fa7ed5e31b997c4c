import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button } from './button.tsx'
import styles from './dialog.css?url'
import { isBeside } from './modal.ts'

export type ConfirmOptions = {
  title: string
  body?: ReactNode
  /** Names the step: 'Delete business', never 'OK'. */
  confirmLabel: string
  /** Default 'Cancel'. */
  cancelLabel?: string
  /** Whether the step destroys something: its button then looks dangerous. */
  danger?: boolean
}

export type DialogRequest = (
  | { kind: 'alert'; text: string; reason?: string }
  | ({ kind: 'confirm' } & ConfirmOptions)
) & {
  id: number
  answer: (yes: boolean) => void
}

/** The dialog of an alert or a confirmation that code opens. */
export function ConfirmDialog({ request }: { request: DialogRequest }) {
  const id = useId()
  const body = request.kind === 'alert' ? request.reason : request.body
  const dialog = useRef<HTMLDialogElement>(null)
  const [opener] = useState(() => (typeof document === 'undefined' ? null : document.activeElement))
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal()
    return () => {
      // Unmounting removes an open dialog without the browser's own return of the focus.
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [opener])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes it on Escape
    <dialog
      ref={dialog}
      role="alertdialog"
      className="dialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={body ? `${id}-body` : undefined}
      onCancel={(event) => {
        event.preventDefault()
        request.answer(false)
      }}
      onClose={() => request.answer(false)}
      onClick={(event) => {
        if (isBeside(event)) request.answer(false)
      }}
    >
      {/* React shows the dialog once its stylesheet has loaded. */}
      <link rel="stylesheet" href={styles} precedence="later" />
      {request.kind === 'alert' ? (
        <>
          <p id={`${id}-title`} className="text-lg">
            {request.text}
          </p>
          {request.reason ? (
            <p id={`${id}-body`} className="mt-3 text-quiet">
              {request.reason}
            </p>
          ) : null}
          <div className="dialog-actions">
            <Button variant="brand" onClick={() => request.answer(true)}>
              OK
            </Button>
          </div>
        </>
      ) : (
        <>
          <h2 id={`${id}-title`}>{request.title}</h2>
          {request.body ? (
            <div id={`${id}-body`} className="mt-3 text-quiet">
              {request.body}
            </div>
          ) : null}
          <div className="dialog-actions">
            <Button onClick={() => request.answer(false)}>{request.cancelLabel ?? 'Cancel'}</Button>
            <Button variant={request.danger ? 'danger' : 'brand'} onClick={() => request.answer(true)}>
              {request.confirmLabel}
            </Button>
          </div>
        </>
      )}
    </dialog>
  )
}
