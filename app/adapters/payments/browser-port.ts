/** The card form's result after the person presses 'Pay $' (Specification, section 7). */
export type ConfirmResult = {
  error?: { message: string }
  payment?: { id: string; status: string }
  /** In place of the payment, where the form keeps a card for later. */
  setup?: { id: string; status: string }
}

/** A provider's card form in the browser. */
export interface CardForm {
  /** Shows the form. Resolves once it accepts input. */
  mount(element: HTMLElement): Promise<void>
  confirm(returnUrl: string): Promise<ConfirmResult>
  unmount(): void
}
