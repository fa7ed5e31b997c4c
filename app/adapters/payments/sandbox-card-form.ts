import type { CardForm, ConfirmResult } from './browser-port.ts'
import {
  checkCard,
  SANDBOX_CARDS,
  type SandboxCard,
  type SandboxConfirmRequest,
  type SandboxField,
} from './sandbox-cards.ts'

const UNREACHABLE = {
  message: "We couldn't reach the payment service. Check your connection and try again.",
  isRefused: false,
}

const LABELS: Record<SandboxField, string> = {
  cardNumber: 'Card number',
  expiry: 'Expiry date',
  cvc: 'Security code',
}

const ATTRIBUTES: Record<SandboxField, Record<string, string>> = {
  cardNumber: { autocomplete: 'cc-number', placeholder: '1234 1234 1234 1234', maxlength: '23' },
  expiry: { autocomplete: 'cc-exp', placeholder: 'MM / YY', maxlength: '7' },
  cvc: { autocomplete: 'cc-csc', placeholder: 'CVC', maxlength: '3' },
}

const FIELDS: readonly SandboxField[] = ['cardNumber', 'expiry', 'cvc']

/** A future expiry date, for filling in a test card with one press. */
const hintExpiry = (now: Date) => `12 / ${String((now.getFullYear() + 2) % 100).padStart(2, '0')}`

type Answer = {
  payment?: { id: string; status: string }
  error?: { message: string; isRefused?: boolean; fields?: Partial<Record<SandboxField, string>> }
}

/**
 * The sandbox's own card form, in place of a real provider's iframe. It has three fields and a list of the test cards,
 * because no other number is accepted. It is part of the page's <form>, whose button confirms it.
 * @param options.clientSecret of a payment, or of a card setup
 * @param options.confirmUrl the sandbox's endpoint for cards
 */
export function createSandboxCardForm(options: { clientSecret: string; confirmUrl: string }): CardForm {
  const root = document.createElement('div')
  root.className = 'grid gap-5'
  const { inputs, build, showErrors } = createCardFields(root)
  let abort = new AbortController()

  function sendCard(challenge?: 'approve' | 'fail'): Promise<Answer> {
    const body: SandboxConfirmRequest = {
      clientSecret: options.clientSecret,
      cardNumber: inputs.cardNumber.value,
      expiry: inputs.expiry.value,
      cvc: inputs.cvc.value,
      ...(challenge ? { challenge } : {}),
    }
    return send(options.confirmUrl, body, abort.signal)
  }

  function refused(fields: Partial<Record<SandboxField, string>>, message?: string): ConfirmResult {
    showErrors(fields)
    const first = FIELDS.find((name) => fields[name])
    const text = message ?? (first && fields[first])
    return { error: text ? { message: text, isRefused: true } : UNREACHABLE }
  }

  return {
    async mount(target) {
      abort = new AbortController()
      build()
      target.append(root)
    },
    async confirm() {
      // Checked here first, so that a real card's number never leaves the browser.
      const fields = checkCard(
        { cardNumber: inputs.cardNumber.value, expiry: inputs.expiry.value, cvc: inputs.cvc.value },
        new Date(),
      )
      if (Object.keys(fields).length > 0) return refused(fields)
      showErrors({})
      let answer = await sendCard()
      if (answer.payment?.status === 'requires_action') answer = await sendCard(await askChallenge(root))
      if (answer.error?.isRefused === false) return { error: UNREACHABLE }
      if (answer.error) return refused(answer.error.fields ?? {}, answer.error.message)
      if (!answer.payment) return { error: UNREACHABLE }
      return options.clientSecret.startsWith('sbs_') ? { setup: answer.payment } : { payment: answer.payment }
    },
    focus() {
      const first = FIELDS.find((name) => inputs[name].getAttribute('aria-invalid') === 'true')
      inputs[first ?? 'cardNumber'].focus()
    },
    unmount() {
      abort.abort()
      // Card numbers must not remain in the page after the visitor leaves it.
      root.replaceChildren()
      root.remove()
    },
  }
}

/**
 * The form's fields and the list of test cards.
 * @returns the inputs, `build`, which draws them into `root`, and `showErrors`
 */
function createCardFields(root: HTMLElement) {
  const inputs = {} as Record<SandboxField, HTMLInputElement>

  function build() {
    const group = element('fieldset', { class: 'grid gap-5 border-0 p-0' })
    // The only payment method, styled like the first tab of a real provider's form.
    const tabs = element('legend', { class: 'mb-5 w-full border-b border-line p-0' })
    const tab = { class: '-mb-px inline-block border-b-3 border-brand px-0.5 py-2 font-medium' }
    tabs.append(element('span', tab, 'Card'))
    group.append(tabs)
    const short = element('div', { class: 'grid grid-cols-2 gap-4' })
    group.append(field('cardNumber'), short)
    short.append(field('expiry'), field('cvc'))
    root.replaceChildren(group, buildTestCards(fill))
  }

  function field(name: SandboxField): HTMLElement {
    const { frame, input } = buildField(name)
    inputs[name] = input
    input.addEventListener('input', () => {
      format(name, input)
      showErrors({ ...shownErrors(), [name]: undefined })
    })
    return frame
  }

  function fill(card: SandboxCard) {
    inputs.cardNumber.value = grouped(card.number)
    inputs.expiry.value = hintExpiry(new Date())
    inputs.cvc.value = '123'
    showErrors({})
  }

  const shown: Partial<Record<SandboxField, string>> = {}
  const shownErrors = () => ({ ...shown })

  /** @param errors messages by field; a field without one is cleared */
  function showErrors(errors: Partial<Record<SandboxField, string | undefined>>) {
    for (const name of FIELDS) {
      const message = errors[name]
      const line = root.querySelector<HTMLElement>(`#sandbox-${name}-error`)
      if (!line) continue
      line.textContent = message ?? ''
      line.hidden = !message
      if (message) inputs[name].setAttribute('aria-invalid', 'true')
      else inputs[name].removeAttribute('aria-invalid')
      if (message) shown[name] = message
      else delete shown[name]
    }
  }

  return { inputs, build, showErrors }
}

/** Charges a saved card of the sandbox, with its bank's approval. */
export async function confirmSavedSandboxCard(options: {
  clientSecret: string
  method: string
  confirmUrl: string
}): Promise<ConfirmResult> {
  const { clientSecret, method, confirmUrl } = options
  const sendMethod = (challenge?: 'approve' | 'fail') =>
    send(confirmUrl, { clientSecret, method, ...(challenge ? { challenge } : {}) }, null)
  let answer = await sendMethod()
  if (answer.payment?.status === 'requires_action')
    answer = await sendMethod(await askChallenge(document.body))
  if (answer.payment) return { payment: answer.payment }
  return { error: answer.error ? { isRefused: true, ...answer.error } : UNREACHABLE }
}

function buildField(name: SandboxField): { frame: HTMLElement; input: HTMLInputElement } {
  const id = `sandbox-${name}`
  const frame = element('div', { class: 'field' })
  const input = element('input', {
    id,
    class: 'control',
    type: 'text',
    inputmode: 'numeric',
    'aria-describedby': `${id}-error`,
    'aria-required': 'true',
    spellcheck: 'false',
    ...ATTRIBUTES[name],
  })
  frame.append(
    element('label', { class: 'field-label', for: id }, LABELS[name]),
    input,
    element('p', { class: 'field-error', id: `${id}-error`, hidden: '' }),
  )
  return { frame, input }
}

/** The working test card for one press, and the others in a closed list. */
function buildTestCards(onPick: (card: SandboxCard) => void): HTMLElement {
  const notice = element('div', { class: 'notice notice-glow' })
  const inside = element('div', { class: 'col-span-full grid min-w-0 gap-2' })
  const [first, ...others] = SANDBOX_CARDS
  inside.append(
    element('p', {}, 'Test payments: no money moves, and only test cards work. Press one to fill it in.'),
  )
  if (first) inside.append(buildTestCard(first, onPick))
  const more = element('details', {})
  more.append(
    element('summary', { class: 'cursor-pointer py-2 font-medium' }, 'Test a failing card or bank approval'),
  )
  const list = element('ul', { class: 'grid list-none gap-1 p-0' })
  for (const card of others) {
    const item = element('li', {})
    item.append(buildTestCard(card, onPick))
    list.append(item)
  }
  more.append(list)
  inside.append(more)
  notice.append(inside)
  return notice
}

function buildTestCard(card: SandboxCard, onPick: (card: SandboxCard) => void): HTMLElement {
  const button = element('button', {
    type: 'button',
    class: 'grid min-h-11 w-full content-center text-left sm:flex sm:items-center sm:justify-between',
  })
  button.append(
    element('span', { class: 'link figures' }, grouped(card.number)),
    element('span', { class: 'text-sm' }, card.label),
  )
  button.addEventListener('click', () => onPick(card))
  return button
}

async function send(
  confirmUrl: string,
  body: SandboxConfirmRequest,
  signal: AbortSignal | null,
): Promise<Answer> {
  try {
    const response = await fetch(confirmUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    })
    return (await response.json()) as Answer
  } catch {
    return { error: UNREACHABLE }
  }
}

/** Simulates the bank's challenge. Closing the dialog in any other way counts as a failure. */
function askChallenge(root: HTMLElement): Promise<'approve' | 'fail'> {
  const dialog = element('dialog', { class: 'dialog', 'aria-labelledby': 'sandbox-challenge-title' })
  const actions = element('div', { class: 'dialog-actions' })
  const fail = element('button', { type: 'button', class: 'button button-secondary' }, 'Fail')
  const approve = element('button', { type: 'button', class: 'button button-brand' }, 'Approve')
  actions.append(fail, approve)
  dialog.append(
    element('h2', { id: 'sandbox-challenge-title', class: 'mb-3' }, 'Your bank asks for your approval'),
    element('p', {}, 'This simulates your bank’s check that it’s really you. No money moves.'),
    actions,
  )
  root.append(dialog)
  return new Promise((resolve) => {
    fail.addEventListener('click', () => dialog.close('fail'))
    approve.addEventListener('click', () => dialog.close('approve'))
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(dialog.returnValue === 'approve' ? 'approve' : 'fail')
    })
    dialog.showModal()
  })
}

const grouped = (digits: string) => digits.replace(/(.{4})(?=.)/g, '$1 ')

/** Groups digits during typing and keeps the caret after the same digit. */
function format(name: SandboxField, input: HTMLInputElement) {
  const before = input.value.slice(0, input.selectionStart ?? input.value.length).replace(/\D/g, '').length
  const digits = input.value
    .replace(/\D/g, '')
    .slice(0, name === 'cardNumber' ? 19 : name === 'expiry' ? 4 : 3)
  input.value =
    name === 'cardNumber'
      ? grouped(digits)
      : name === 'expiry' && digits.length > 2
        ? `${digits.slice(0, 2)} / ${digits.slice(2)}`
        : digits
  let caret = 0
  for (let seen = 0; caret < input.value.length && seen < before; caret++) {
    if (/\d/.test(input.value.charAt(caret))) seen++
  }
  input.setSelectionRange(caret, caret)
}

function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string>,
  text?: string,
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  if (text !== undefined) made.textContent = text
  return made
}
