import { setTimeout as pause } from 'node:timers/promises'
import { FAULT_POINTS, type FaultPointName } from '../../app/adapters/payments/fault-points.ts'
import { formsOf } from '../page-forms.ts'
import { ACCOUNT_ACTS } from './account-acts.ts'
import type { Act } from './acts.ts'
import { BOOKING_ACTS } from './booking-acts.ts'
import { findBroken, findLostMessages, findReached, listWaiting, type Waiting } from './invariants.ts'
import { OPERATOR_ACTS, pressOne, restore } from './operator-acts.ts'
import { listAccounts, OUTSIDE_ACTS } from './outside-acts.ts'
import { Product } from './product.ts'
import { createRandom, type Random } from './random.ts'
import type { Goal } from './sometimes.ts'
import { TALK_ACTS } from './talk-acts.ts'
import { setUpPayouts, showAll, VENDOR_ACTS } from './vendor-acts.ts'
import { Hands, type Person, settleIn, signIn, World } from './world.ts'

const ACTS = [
  ...BOOKING_ACTS,
  ...VENDOR_ACTS,
  ...TALK_ACTS,
  ...ACCOUNT_ACTS,
  ...OPERATOR_ACTS,
  ...OUTSIDE_ACTS,
]
/** Without these, most of the others find nothing. */
const USUAL = ['book', 'book what others want', 'decide', 'time passes']
/** The first round of a chapter, so that the others find something. */
const OPENING = BOOKING_ACTS.filter(({ name }) => name.startsWith('book'))
const USUAL_SHARE = 0.95
const OTHER_SHARE = 0.6
const CHAPTERS = 2
const ROUNDS = 8
const FEWEST_AT_ONCE = 3
const MOST_AT_ONCE = 7
const LOSS_SHARE = 0.12
const LONGEST_LIFE_MS = 250
/** How the clock moves in a quiet: near enough for each reminder and try, and far enough for the last event. */
const QUIET_MOVES = [
  { hours: 2 },
  ...[{ days: 1 }, { days: 1 }, { days: 3 }, { days: 8 }, { days: 30 }],
  ...[{ days: 1 }, { days: 1 }, { days: 3 }, { days: 8 }, { days: 40 }],
]
const MOST_MOVES = 22
const NEEDS_ACCOUNT = ['no_agreement', 'no_account', 'restricted'].map(
  (reason) => `transfer held for ${reason}`,
)
/** The product's own proofs may meet money on its way. The last one of a quiet may not. */
const TRANSIENT = /payments differ from the provider|proof found differences/

/** The outcome of one history. */
export type Lived = {
  reached: ReadonlySet<Goal>
  /** The faults found: something that must never be, or that waits for ever. */
  wrong: string[]
  acts: number
  /** The newest acts, for the report. */
  log: string
}

/** The choices of a seed: random subsets of acts reach states that all acts together never do. */
type Plan = {
  acts: readonly Act[]
  /** How a process ends in the middle of a round, at most once: a start costs as much as twenty acts. */
  end: 'kill' | 'stop' | null
  /** The round in which it does. */
  endsIn: number
  /** The fault point at which the first process kills itself, unless it never gets there. */
  crashAt: FaultPointName | null
  losses: boolean
  /** Two share the database, as where many people come. */
  processes: 1 | 2
}

function plan(random: Random): Plan {
  return {
    acts: ACTS.filter(({ name }) => random.chance(USUAL.includes(name) ? USUAL_SHARE : OTHER_SHARE)),
    end: random.chance(0.35) ? 'kill' : random.chance(0.2) ? 'stop' : null,
    endsIn: random.whole(2, CHAPTERS * ROUNDS),
    crashAt: random.chance(0.35) ? (random.pick(FAULT_POINTS) ?? null) : null,
    losses: random.chance(0.5),
    processes: random.chance(0.4) ? 2 : 1,
  }
}

/** Lives one history. Its acts follow from the seed; how they interleave follows from the machine. */
export async function live(seed: number): Promise<Lived> {
  const random = createRandom(seed)
  const chosen = plan(random)
  const product = await Product.create(chosen.processes)
  const world = new World(product)
  const wrong: string[] = []
  const off = ACTS.filter((act) => !chosen.acts.includes(act)).map(({ name }) => name)
  world.log.push(`${chosen.processes} at once. Off: ${off.join(', ')}`)
  try {
    await product.start(chosen.crashAt ?? undefined)
    if (chosen.crashAt) world.log.push(`Dies at ${chosen.crashAt}`)
    await settleIn(world, random.branch())
    world.lossShare = chosen.losses ? LOSS_SHARE : 0
    for (let chapter = 1; chapter <= CHAPTERS && wrong.length === 0; chapter++) {
      if (chapter > 1) await reopen(world, random.branch())
      for (let round = 1; round <= ROUNDS; round++) {
        const end = (chapter - 1) * ROUNDS + round === chosen.endsIn ? chosen.end : null
        await act(world, { acts: round === 1 ? OPENING : chosen.acts, end }, random.branch())
      }
      world.lossShare = 0
      wrong.push(...(await product.look((db) => findLostMessages(db, world.told))))
      if (product.isDown) await product.start()
      world.told.messages.clear()
      wrong.push(...(await quiet(world, random.branch())))
      world.lossShare = chosen.losses ? LOSS_SHARE : 0
    }
  } finally {
    await product.close()
  }
  wrong.push(...world.faults, ...product.logged.filter((line) => !TRANSIENT.test(line)))
  return { reached: world.reached, wrong, acts: world.log.length, log: world.newestActs() }
}

/** One round: several people act at once, and perhaps the process ends meanwhile. */
async function act(world: World, { acts, end }: Pick<Plan, 'acts' | 'end'>, random: Random): Promise<void> {
  const { product } = world
  const count = random.whole(FEWEST_AT_ONCE, MOST_AT_ONCE)
  const round = Array.from({ length: count }, () => chooseAct(acts, world, random))
  const lifeMs = random.whole(0, LONGEST_LIFE_MS)
  await Promise.all([
    ...round.map((chosen) => perform(world, chosen)),
    ...(end ? [pause(lifeMs).then(() => product[end]())] : []),
  ])
  if (end) world.log.push(end === 'kill' ? '(killed)' : '(stopped)')
  else if (product.isDown) world.log.push('(died)')
  if (product.isDown) await startAgain(product)
}

/**
 * Starts what has died, and lets it take up its work. In life its next minute comes before its next month: a transfer that was made
 * but not stored would otherwise be found weeks after its payout.
 */
async function startAgain(product: Product): Promise<void> {
  while (product.isDown) {
    await product.start()
    await product.hurryJobs()
    await product.move({ minutes: 10 })
    await product.waitForJobs()
  }
}

type Chosen = { act: Act; person: Person; random: Random }

/** Chooses an act by its weight, among those for which somebody finds something to do. */
function chooseAct(acts: readonly Act[], world: World, random: Random): Chosen {
  const possible = acts.flatMap((act) => {
    const all = act.by.length === 0 ? world.people : world.of(...act.by)
    const people = all.filter((person) => act.finds?.(person, world) ?? true)
    return people.length > 0 ? [{ act, people }] : []
  })
  const chosen = random.weighted(possible, ({ act }) => act.weight)
  const person = chosen && random.pick(chosen.people)
  if (!chosen || !person) throw new Error('Nobody can do anything.')
  return { act: chosen.act, person, random: random.branch() }
}

async function perform(world: World, { act, person, random }: Chosen): Promise<void> {
  const { name, by } = act
  const who = by.length === 0 ? '' : `${person.name}: `
  try {
    world.log.push(`${who}${name}: ${await act.perform(new Hands(world, person, random))}`)
  } catch (error) {
    world.faults.push(`${who}${name}: ${error instanceof Error ? error.stack : error}`)
  }
}

/**
 * Lets everything come to rest: nobody begins anything, whoever has to decide does, and time passes.
 * @returns what is wrong then, and what still waits
 */
async function quiet(world: World, random: Random): Promise<string[]> {
  const { product } = world
  let waiting: Waiting[] = []
  if (product.isDown) await product.start()
  let moves = 0
  for (; moves < MOST_MOVES; moves++) {
    await product.move(QUIET_MOVES[moves % QUIET_MOVES.length] ?? { days: 1 })
    await product.hurryJobs()
    await product.waitForJobs()
    if (product.isDown) await startAgain(product)
    waiting = await product.look((db) => listWaiting(db, product.now))
    if (product.isDown) await product.start()
    if (waiting.length === 0) break
    await fulfilDuties(world, waiting, random.branch())
  }
  // The product's own proofs of the last move may have met money on its way.
  await product.move({ minutes: 10 })
  await product.waitForJobs()
  world.log.push(`Quiet after ${moves + 1} moves`)
  const mailIds = new Set(
    (await product.mails()).map(({ messageId }) => messageId.slice(1, messageId.indexOf('@'))),
  )
  const broken = await product.look(async (db) => {
    for (const goal of await findReached(db)) world.reached.add(goal as Goal)
    return findBroken(db, world.told, mailIds)
  })
  if (product.isDown) await product.start()
  return [...broken, ...waiting.map(({ what, id, about }) => `waits for ever: ${what} ${id} (${about})`)]
}

/** After a quiet, operators and vendors put back what is hidden, so that there is something to book. */
async function reopen(world: World, random: Random): Promise<void> {
  const [operator] = world.of('operator')
  if (operator) await restore(new Hands(world, operator, random.branch()))
  for (const person of world.of('vendor')) await showAll(new Hands(world, person, random.branch()))
}

/** Banks decide, the provider completes accounts, vendors set up payouts and operators press what waits for them. */
async function fulfilDuties(world: World, waiting: readonly Waiting[], random: Random): Promise<void> {
  const { product } = world
  const of = (what: string) => waiting.filter((one) => one.what === what)
  for (const { about: payment } of of('dispute'))
    for (const step of [random.chance(0.5) ? 'win' : 'lose', 'close'])
      await product.sandbox('dispute', { payment, step })
  const operators = world.of('operator').map((person) => new Hands(world, person, random.branch()))
  const settle = async (path: string, intents: readonly string[]) => {
    for (const hands of operators) {
      const { text } = await hands.get(path)
      const outcome = await pressOne(hands, formsOf(text, path), (intent) => intents.includes(intent))
      world.log.push(`${hands.person.name} in the quiet: ${outcome}`)
    }
  }
  for (const { about } of of('refund that came back'))
    await settle(`/operations/payments/${about}`, ['paid-otherwise', 'confirm-refund'])
  for (const { about } of [...of('order of a refund'), ...of('order of a cancellation')])
    await settle(`/operations/payments/${about}`, [
      'confirm-refund',
      'confirm-cancellation',
      'drop-refund',
      'drop-cancellation',
    ])
  for (const { about } of of('answer to a dispute'))
    await settle(`/operations/disputes/${about}`, ['confirm-answer', 'drop-answer'])
  for (const { about } of of('order of a payout'))
    await settle(`/operations/vendors/${about}`, ['confirm-order', 'drop-order'])
  for (const { about } of of('transfer held for operator'))
    await settle(`/operations/vendors/${about}`, ['release-payouts'])
  if (!waiting.some(({ what }) => NEEDS_ACCOUNT.includes(what))) return
  const [operator] = operators
  if (operator) await restore(operator)
  for (const person of world.of('vendor')) {
    const hands = new Hands(world, person, random.branch())
    await signIn(hands)
    await hands.post('/reactivate')
    world.log.push(`${person.name} in the quiet: set up payouts: ${await setUpPayouts(hands)}`)
  }
  for (const account of operator ? await listAccounts(operator) : [])
    await product.sandbox('account', { account, step: 'complete' })
}
