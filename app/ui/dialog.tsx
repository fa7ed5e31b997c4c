import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { ConfirmOptions, DialogRequest } from './confirm-dialog.tsx'
import { deferred } from './deferred.tsx'

const ConfirmDialog = deferred(
  'dialog',
  async () => (await import('./confirm-dialog.tsx')).ConfirmDialog,
  null,
  'ConfirmDialog',
)

export type Dialogs = {
  /**
   * Shows a text with an OK button; resolves when it is closed. Replaces window.alert accessibly.
   * @param reason why it happened, as a separate sentence
   */
  alert: (text: string, reason?: string) => Promise<void>
  /** Asks for confirmation: true for the step, false for Cancel, Escape or a press beside the dialog. */
  confirm: (options: ConfirmOptions) => Promise<boolean>
}

const DialogsContext = createContext<Dialogs | null>(null)

/** Shows the dialogs that code opens with `useDialogs`, one after another. Rendered once, around the whole page. */
export function DialogProvider({ children }: { children: ReactNode }) {
  const [requests, setRequests] = useState<DialogRequest[]>([])
  const nextId = useRef(1)

  const ask = useCallback((request: Omit<DialogRequest, 'id' | 'answer'>) => {
    const id = nextId.current++
    return new Promise<boolean>((resolve) => {
      const answer = (yes: boolean) => {
        resolve(yes)
        setRequests((waiting) => waiting.filter((other) => other.id !== id))
      }
      setRequests((waiting) => [...waiting, { ...request, id, answer } as DialogRequest])
    })
  }, [])

  const dialogs = useMemo<Dialogs>(
    () => ({
      alert: async (text, reason) => {
        await ask({ kind: 'alert', text, reason } as Omit<DialogRequest, 'id' | 'answer'>)
      },
      confirm: (options) => ask({ kind: 'confirm', ...options } as Omit<DialogRequest, 'id' | 'answer'>),
    }),
    [ask],
  )
  const current = requests[0]
  return (
    <DialogsContext value={dialogs}>
      {children}
      {current ? <ConfirmDialog key={current.id} request={current} /> : null}
    </DialogsContext>
  )
}

/** Returns `alert` and `confirm` as promises. Needs a DialogProvider above. */
export function useDialogs(): Dialogs {
  const dialogs = useContext(DialogsContext)
  if (!dialogs) throw new Error('useDialogs needs a DialogProvider above it')
  // A component that may open a dialog loads its script in advance.
  useEffect(() => void ConfirmDialog.load(), [])
  return dialogs
}
