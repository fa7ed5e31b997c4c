/** Sets a field's value as if it had been typed, so that every listener is called. */
export function setTyped(input: HTMLInputElement | HTMLTextAreaElement, text: string) {
  // Bypasses React's value tracking, or a controlled input would not notice.
  const { prototype } = input instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(input, text)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}
