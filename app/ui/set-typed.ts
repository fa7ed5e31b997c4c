/** Puts a text into an input as if it had been typed, so that everything that listens hears of it. */
export function setTyped(input: HTMLInputElement, text: string) {
  // Past React's own idea of the value, or a controlled input would not notice.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}
