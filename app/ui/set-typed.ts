/** Puts a text into a field as if it had been typed, so that everything that listens hears of it. */
export function setTyped(input: HTMLInputElement | HTMLTextAreaElement, text: string) {
  // Past React's own idea of the value, or a controlled input would not notice.
  const { prototype } = input instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(input, text)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}
