/** How long a person pauses before what they have typed is sent. */
export const TYPING_MS = 800

/** @property onTyped receives each text once, without spaces at its ends */
export type TextField = { saved: string; onTyped: (text: string) => void }

/**
 * A text that is sent while it is typed. A pause sends it and leaves the field as it is: its last space may belong to the next word.
 * @param show shows what was typed; null shows the saved text
 */
export function createTextDraft(field: TextField, show: (typed: string | null) => void) {
  let current = field
  let typed: string | null = null
  let sent: string | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  function send() {
    clearTimeout(timer)
    const text = typed?.trim()
    if (text === undefined || text === (sent ?? current.saved)) return
    sent = text
    current.onTyped(text)
  }
  return {
    /** The field as it is shown now. */
    follow(next: TextField) {
      current = next
    },
    type(text: string) {
      typed = text
      show(typed)
      clearTimeout(timer)
      timer = setTimeout(send, TYPING_MS)
    },
    send,
    /** Sends the rest, and shows what is saved from now on. */
    leave() {
      send()
      typed = null
      sent = null
      show(null)
    },
  }
}
