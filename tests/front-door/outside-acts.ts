import { type Act, outcomeOf, withPayment } from './acts.ts'
import type { Answer } from './history-client.ts'
import type { Hands } from './world.ts'

const ACCOUNT = /sba_[0-9a-z]+/g
const WEBHOOKS = ['at_once', 'at_once', 'late', 'twice', 'out_of_order', 'never']
const DISPUTE_STEPS = ['open', 'open', 'inquire', 'win', 'lose', 'lose', 'close']
const CARD_ANSWERS = [
  'approved',
  'authentication_required',
  'insufficient_funds',
  'generic_decline',
  'lost_card',
]
const ACCOUNT_STEPS = ['complete', 'complete', 'review', 'restrict', 'close']

/** A step of the test provider, as a bank or the provider itself would make it. */
async function step(hands: Hands, operation: string, body: Record<string, string>): Promise<Answer> {
  const { product, faults } = hands.world
  const { deaths } = product
  const answer = await product.sandbox(operation, body)
  if (
    answer.status >= 500 ||
    (answer.status === 0 && product.deaths === deaths && !(await product.hasEnded()))
  )
    faults.push(`The sandbox, ${operation} ${JSON.stringify(body)}: ${answer.status}`)
  return answer
}

const aPayment = ({ world, random }: Hands) => random.pick([...world.references])
const webhooksOf = ({ random }: Hands) => ({ webhooks: random.pick(WEBHOOKS) ?? 'at_once' })

async function dispute(hands: Hands): Promise<string> {
  const payment = aPayment(hands)
  if (!payment) return 'nothing paid'
  const chosen = hands.random.pick(DISPUTE_STEPS) ?? 'open'
  const answer = await step(hands, 'dispute', { payment, step: chosen, ...webhooksOf(hands) })
  if (answer.status === 200 && chosen === 'lose') hands.world.reached.add('a dispute was lost')
  if (answer.status === 200 && chosen === 'win') hands.world.reached.add('a dispute was won')
  return `${chosen}: ${outcomeOf(answer)}`
}

async function moveRefund(hands: Hands): Promise<string> {
  const payment = aPayment(hands)
  if (!payment) return 'nothing paid'
  const chosen = hands.random.chance(0.6) ? 'succeed' : 'fail'
  const answer = await step(hands, 'refund', { payment, step: chosen, ...webhooksOf(hands) })
  return `${chosen}: ${outcomeOf(answer)}`
}

async function moveSavedCard(hands: Hands): Promise<string> {
  const payment = aPayment(hands)
  if (!payment) return 'nothing paid'
  const chosen = hands.random.pick(CARD_ANSWERS) ?? 'approved'
  return `${chosen}: ${outcomeOf(await step(hands, 'saved-card', { payment, step: chosen }))}`
}

/** The accounts of vendors at the provider, as its console lists them. */
export async function listAccounts({ world }: Hands): Promise<string[]> {
  return [...new Set((await world.product.console()).text.match(ACCOUNT) ?? [])]
}

async function moveAccount(hands: Hands): Promise<string> {
  const account = hands.random.pick(await listAccounts(hands))
  if (!account) return 'no account'
  if (hands.random.chance(0.5)) {
    const chosen = hands.random.pick(['pay', 'fail']) ?? 'pay'
    return `payout ${chosen}: ${outcomeOf(await step(hands, 'payout', { account, step: chosen, ...webhooksOf(hands) }))}`
  }
  const chosen = hands.random.pick(ACCOUNT_STEPS) ?? 'complete'
  return `${chosen}: ${outcomeOf(await step(hands, 'account', { account, step: chosen, ...webhooksOf(hands) }))}`
}

/** Mostly so short that what waits for people still does. */
const MOVES = [
  ...[
    { minutes: 20 },
    { minutes: 20 },
    { minutes: 20 },
    { hours: 2 },
    { hours: 2 },
    { hours: 2 },
    { hours: 2 },
  ],
  ...[{ days: 1 }, { days: 1 }, { days: 1 }, { days: 8 }, { days: 35 }],
]

/** Time passes: the product's jobs run, while people act. */
async function passTime(hands: Hands): Promise<string> {
  const by = hands.random.pick(MOVES) ?? { hours: 2 }
  return `${JSON.stringify(by)}: ${outcomeOf(await hands.world.product.move(by))}`
}

/** The acts of banks, the provider and time. */
export const OUTSIDE_ACTS: readonly Act[] = [
  { name: 'a bank disputes or decides', by: [], weight: 4, finds: withPayment, perform: dispute },
  { name: 'the provider moves a refund', by: [], weight: 2, finds: withPayment, perform: moveRefund },
  {
    name: 'a bank changes its mind about a card',
    by: [],
    weight: 1,
    finds: withPayment,
    perform: moveSavedCard,
  },
  { name: 'the provider moves an account', by: [], weight: 2, perform: moveAccount },
  { name: 'time passes', by: [], weight: 6, perform: passTime },
]
