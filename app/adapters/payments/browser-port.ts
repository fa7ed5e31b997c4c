/** The card form's result after the person presses 'Pay $' (Specification, section 7). */
export type ConfirmResult = {
  /** `isRefused` where the provider is known to have charged nothing, unlike a lost connection. */
  error?: { message: string; isRefused: boolean }
  payment?: { id: string; status: string }
  /** In place of the payment, where the form keeps a card for later. */
  setup?: { id: string; status: string }
}

/** A provider's card form in the browser. */
export interface CardForm {
  /** Shows the form. Resolves once it accepts input. */
  mount(element: HTMLElement): Promise<void>
  confirm(returnUrl: string): Promise<ConfirmResult>
  /** Puts the focus on the field to correct, else on the card's number. */
  focus(): void
  unmount(): void
}
