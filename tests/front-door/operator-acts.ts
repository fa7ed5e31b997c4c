import { formsOf, type PageForm } from '../page-forms.ts'
import { type Act, isDone, outcomeOf } from './acts.ts'
import type { Goal } from './sometimes.ts'
import type { Hands } from './world.ts'

/** The texts that operators type where a button asks for one. */
const TYPED: Record<string, string> = {
  reason: 'Because of the storm.',
  reference: 'BSB 110-000, receipt 7',
  product: 'A hall for an evening',
  statement: 'The event took place as agreed.',
  rate: '8',
}
/** Lists from which each of them leads on. */
const LISTS = [
  ...['/operations/payments', '/operations/payments', '/operations/payments', '/operations/disputes'],
  ...['/operations/payouts', '/operations/accounts'],
]
const OTHER_LISTS = [
  '/operations/listings',
  '/operations/reports',
  '/operations/reviews',
  '/operations/ledger',
]
const SUBJECT = /"(\/operations\/(?:payments|disputes|vendors|reports)\/[\w-]{12,})"/g
/** These have acts of their own, or would end the operators' own work. */
const LEFT_OUT = ['', 'name-operator', 'change-role', 'remove-operator', 'confirm-naming', 'drop-naming']
const NEWEST = 4
const RESTORING = ['show-listing', 'enable-account']
/** Pressed one time in four: they keep people from going on, or change nothing. */
const SELDOM = ['hide-listing', 'disable-account', 'hold-payouts', 'ask', 'prove', 'compare']
const GOAL_OF: Record<string, Goal> = {
  refund: 'an operator refunded',
  'cancel-booking': 'an operator cancelled a booking',
  'confirm-refund': 'a second operator confirmed',
  'confirm-cancellation': 'a second operator confirmed',
  'confirm-order': 'a second operator confirmed',
  'disable-account': 'an account was disabled',
  'hide-listing': 'a listing was hidden by an operator',
  'submit-evidence': 'a dispute was answered',
  'accept-dispute': 'a dispute was answered',
}

const intentsOf = ({ fields, buttons }: PageForm): string[] => [
  ...(fields.intent ? [fields.intent] : []),
  ...buttons.flatMap(({ name, value }) => (name === 'intent' ? [value] : [])),
]

/** Opens one of the operators' screens and presses one of the buttons that it has. */
async function press(hands: Hands, lists: readonly string[]): Promise<string> {
  const { random } = hands
  const list = random.pick(lists) ?? ''
  const { text } = await hands.get(list)
  const subjects = [...new Set([...text.matchAll(SUBJECT)].map(([, path]) => path ?? ''))]
  // The newest, on which others act too.
  const subject = random.chance(0.85) ? random.pick(subjects.slice(0, NEWEST)) : undefined
  const path = subject ?? list
  const page = subject ? await hands.get(subject) : { text }
  return pressOne(hands, formsOf(page.text, path), () => true)
}

/**
 * Presses one of the wanted buttons of a page.
 * @returns what it was and what came of it
 */
export async function pressOne(
  hands: Hands,
  forms: readonly PageForm[],
  isWanted: (intent: string) => boolean,
): Promise<string> {
  const { random, world } = hands
  const offered = forms.flatMap((form) =>
    intentsOf(form).flatMap((intent) =>
      isWanted(intent) && !LEFT_OUT.includes(intent) ? [{ form, intent }] : [],
    ),
  )
  const usual = offered.filter(({ intent }) => !SELDOM.includes(intent))
  const chosen = random.pick(random.chance(0.75) ? usual : offered)
  if (!chosen) return 'no button'
  const { form, intent } = chosen
  const typed: Record<string, string> = { intent }
  for (const name of Object.keys(form.fields))
    if (TYPED[name] && !form.fields[name]) typed[name] = TYPED[name]
  if ('amount' in form.fields) typed.amount = amountFor(hands, form)
  // A refund that the vendor bears comes off the balance first.
  if ('borneBy' in form.fields) typed.borneBy = random.chance(0.4) ? 'vendor' : 'operator'
  if ('refund' in form.fields) typed.refund = random.pick(['policy', 'full', 'amount']) ?? 'policy'
  const answer = await hands.post(form.action, { ...form.fields, ...typed })
  const goal = GOAL_OF[intent]
  if (goal && isDone(answer)) world.reached.add(goal)
  return `${intent}: ${outcomeOf(answer)}`
}

/** A part or all of what the form shows as left, and sometimes more. */
function amountFor({ random }: Hands, { fields }: PageForm): string {
  const leftCents = Number(fields.seen ?? 0) || 20_000
  const share = random.pick([0.1, 0.5, 0.5, 1, 1, 1.5]) ?? 1
  return (Math.round(leftCents * share) / 100).toFixed(2)
}

/** Puts back what was hidden or disabled. */
export async function restore(hands: Hands): Promise<void> {
  for (const list of ['/operations/listings', '/operations/accounts']) {
    const { text } = await hands.get(list)
    for (const form of formsOf(text, list))
      for (const intent of intentsOf(form))
        if (RESTORING.includes(intent)) await hands.post(form.action, { ...form.fields, intent })
  }
}

/** The acts of operators: everything that their screens offer. */
export const OPERATOR_ACTS: readonly Act[] = [
  { name: 'operate on money', by: ['operator'], weight: 8, perform: (hands) => press(hands, LISTS) },
  {
    name: 'operate on what is shown',
    by: ['operator'],
    weight: 2,
    perform: (hands) => press(hands, OTHER_LISTS),
  },
]
