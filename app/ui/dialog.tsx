import {
  createContext,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Button } from './button.tsx'

/** Keeps a native dialog element in step with a flag. */
export function useModal(open: boolean) {
  const dialog = useRef<HTMLDialogElement>(null)
  const opened = useRef(false)
  useEffect(() => {
    const element = dialog.current
    if (!element) return
    if (open && !element.open) element.showModal()
    // One that the browser opened by a command, before this ran, stays open.
    if (!open && opened.current && element.open) element.close()
    opened.current = open
  }, [open])
  return dialog
}

/** Whether a press on a dialog fell on its backdrop, which counts as the dialog itself. */
export function isBeside(event: MouseEvent<HTMLDialogElement>): boolean {
  if (event.target !== event.currentTarget) return false
  const box = event.currentTarget.getBoundingClientRect()
  const { clientX: x, clientY: y } = event
  // A key press on a button comes as a click at 0,0; its target is the button, so it never gets here.
  return x < box.left || x > box.right || y < box.top || y > box.bottom
}

export type ConfirmOptions = {
  title: string
  body?: ReactNode
  /** What the step does: 'Delete business', never 'OK'. */
  confirmLabel: string
  /** Default 'Cancel'. */
  cancelLabel?: string
  /** The step destroys something: the button is drawn as such. */
  danger?: boolean
}

export type Dialogs = {
  /** Shows a text as it stands, with OK; resolves when it is closed. The accessible form of window.alert. */
  alert: (text: string) => Promise<void>
  /** Asks; true for the step, false for Cancel, Escape or a press beside it. */
  confirm: (options: ConfirmOptions) => Promise<boolean>
}

type Request = ({ kind: 'alert'; text: string } | ({ kind: 'confirm' } & ConfirmOptions)) & {
  id: number
  answer: (yes: boolean) => void
}

const DialogsContext = createContext<Dialogs | null>(null)

/** Holds the dialogs that code opens with `useDialogs`; once, around the whole page. They wait for one another. */
export function DialogProvider({ children }: { children: ReactNode }) {
  const [requests, setRequests] = useState<Request[]>([])
  const nextId = useRef(1)

  const ask = useCallback((request: Omit<Request, 'id' | 'answer'>) => {
    const id = nextId.current++
    return new Promise<boolean>((resolve) => {
      const answer = (yes: boolean) => {
        resolve(yes)
        setRequests((waiting) => waiting.filter((other) => other.id !== id))
      }
      setRequests((waiting) => [...waiting, { ...request, id, answer } as Request])
    })
  }, [])

  const dialogs = useMemo<Dialogs>(
    () => ({
      alert: async (text) => {
        await ask({ kind: 'alert', text } as Omit<Request, 'id' | 'answer'>)
      },
      confirm: (options) => ask({ kind: 'confirm', ...options } as Omit<Request, 'id' | 'answer'>),
    }),
    [ask],
  )
  const current = requests[0]
  return (
    <DialogsContext value={dialogs}>
      {children}
      {current ? <AskedDialog key={current.id} request={current} /> : null}
    </DialogsContext>
  )
}

function AskedDialog({ request }: { request: Request }) {
  const id = useId()
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
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, as the browser has it
    <dialog
      ref={dialog}
      role="alertdialog"
      className="dialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={request.kind === 'confirm' && request.body ? `${id}-body` : undefined}
      onCancel={(event) => {
        event.preventDefault()
        request.answer(false)
      }}
      onClose={() => request.answer(false)}
      onClick={(event) => {
        if (isBeside(event)) request.answer(false)
      }}
    >
      {request.kind === 'alert' ? (
        <>
          <p id={`${id}-title`} className="text-lg">
            {request.text}
          </p>
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

/** `alert` and `confirm` as promises. Needs a DialogProvider above. */
export function useDialogs(): Dialogs {
  const dialogs = useContext(DialogsContext)
  if (!dialogs) throw new Error('useDialogs needs a DialogProvider above it')
  return dialogs
}
