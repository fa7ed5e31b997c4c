/** Sets a field's value as if it had been typed or chosen, so that every listener is called. */
export function setTyped(control: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement, text: string) {
  // Bypasses React's value tracking, or a controlled input would not notice.
  Object.getOwnPropertyDescriptor(prototypeOf(control), 'value')?.set?.call(control, text)
  control.dispatchEvent(new Event('input', { bubbles: true }))
  // A choice is complete at once.
  if (control instanceof HTMLSelectElement) control.dispatchEvent(new Event('change', { bubbles: true }))
}

function prototypeOf(control: HTMLElement) {
  if (control instanceof HTMLSelectElement) return HTMLSelectElement.prototype
  return control instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype
}
