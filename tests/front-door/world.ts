import { randomUUID } from 'node:crypto'
import { aSignUp, PASSWORD, type RequestOptions } from '../client.ts'
import { formsOf, type PageForm, textOf } from '../page-forms.ts'
import { type Answer, HistoryClient, pageDataOf } from './history-client.ts'
import { OPERATORS, type Product } from './product.ts'
import type { Random } from './random.ts'
import type { Goal } from './sometimes.ts'

const VENDORS = 2
const CUSTOMERS = 2
const SHOWN_TEXT = 200
const SHOWN_LOG = 120
/** How long a request whose answer gets lost may take before its connection breaks, in ms. */
const LOSSES_MS = [1, 4, 10, 25]
const MAIL_TRIES = 3
const SCRIPTED_SHARE = 0.85

/** Somebody with a browser: with an account, or a guest. */
export type Person = {
  name: string
  email: string
  kind: 'customer' | 'guest' | 'vendor' | 'operator'
  client: HistoryClient
  /** The tokens of the bookings' links that they have got. */
  links: string[]
  /** The paths of conversations that they follow. */
  talks: string[]
}

/** A card payment that somebody began and hasn't finished. */
export type Unfinished = { by: Person; clientSecret: string; submitKey: string; reference: string }

/** The facts that the history has been told and must find at the end. */
export type Told = {
  /** Acknowledged bookings, each with the provider's reference of its payment. */
  bookings: Map<string, string>
  /** The texts of acknowledged messages. */
  messages: Set<string>
}

/** One history: the product, its people, and what they have been told. */
export class World {
  readonly product: Product
  readonly people: Person[] = []
  readonly unfinished: Unfinished[] = []
  /** The provider's references of all payments that anybody has seen. */
  readonly references = new Set<string>()
  readonly told: Told = { bookings: new Map(), messages: new Set() }
  readonly reached = new Set<Goal>()
  /** The events that must never happen, as they were seen. */
  readonly faults: string[] = []
  /** The acts so far, each with its outcome. */
  readonly log: string[] = []
  /** The share of writes whose answer gets lost, so that the person sends them again. */
  lossShare = 0
  #texts = 0

  constructor(product: Product) {
    this.product = product
  }

  /** A text that nothing else contains. */
  text(): string {
    this.#texts++
    return `Note ${this.#texts} ${randomUUID()}`
  }

  of(...kinds: Person['kind'][]): Person[] {
    return this.people.filter(({ kind }) => kinds.includes(kind))
  }

  addPerson(kind: Person['kind'], email = `${kind}-${randomUUID().slice(0, 8)}@example.com`): Person {
    const number = this.of(kind).length + 1
    const person: Person = {
      name: `${kind} ${number}`,
      email,
      kind,
      client: new HistoryClient(this.product),
      links: [],
      talks: [],
    }
    this.people.push(person)
    return person
  }

  /** The newest acts, for the report of a failure. */
  newestActs(): string {
    return this.log.slice(-SHOWN_LOG).join('\n')
  }
}

/** How a person acts in one step: requests that are watched, and forms that are found and pressed. */
export class Hands {
  readonly world: World
  readonly person: Person
  readonly random: Random

  constructor(world: World, person: Person, random: Random) {
    this.world = world
    this.person = person
    this.random = random
  }

  get = (path: string) => this.#watch(`GET ${path}`, () => this.person.client.get(path))

  /** Sends a form, mostly as the page's script does: to render a page takes the product most of the time. */
  post = (path: string, fields: Record<string, string> = {}) => {
    const { client } = this.person
    const isScripted = this.random.chance(SCRIPTED_SHARE)
    return this.#write(path, (options) =>
      isScripted ? client.submit(path, fields, options) : client.post(path, fields, options),
    )
  }

  postJson = (path: string, body: unknown) =>
    this.#write(path, (options) => this.person.client.postJson(path, body, options))

  /** The data of a page's own loader, as its script gets them. */
  async data<Data extends object>(path: string, routeId: string): Promise<Partial<Data>> {
    const route = pageDataOf(await this.get(`${path}.data`))[routeId] as { data?: Data } | undefined
    return route?.data ?? {}
  }

  /**
   * Opens a page, finds a form and sends it as its button would.
   * @param wanted the form's intent, or the text of a button
   * @param typed replaces what the form has
   * @returns null where the page doesn't offer it
   */
  async press(path: string, wanted: string, typed: Record<string, string> = {}): Promise<Answer | null> {
    const { text } = await this.get(path)
    return this.pressIn(formsOf(text, path), wanted, typed)
  }

  /** The same in forms of a page that is open. */
  async pressIn(
    forms: readonly PageForm[],
    wanted: string,
    typed: Record<string, string> = {},
  ): Promise<Answer | null> {
    const form = this.random.pick(forms.filter((one) => offers(one, wanted)))
    if (!form) return null
    const button = form.buttons.find(({ name, value }) => name === 'intent' && value === wanted)
    const fields = { ...form.fields, ...(button ? { intent: wanted } : {}), ...typed }
    return this.post(form.action, fields)
  }

  /** Sends a write. Its answer may get lost: then the same is sent again. */
  async #write(path: string, send: (options?: RequestOptions) => Promise<Answer>): Promise<Answer> {
    if (this.random.chance(this.world.lossShare)) {
      const lost = await send({ signal: AbortSignal.timeout(this.random.pick(LOSSES_MS) ?? 1) })
      if (lost.status === 0) this.world.reached.add('an answer was lost and its request repeated')
    }
    return this.#watch(`POST ${path}`, () => send())
  }

  async #watch(request: string, send: () => Promise<Answer>): Promise<Answer> {
    const { product, faults } = this.world
    const { deaths } = product
    const answer = await send()
    const { status, text } = answer
    const hadToEnd = async () => product.deaths > deaths || (await product.hasEnded())
    if (status === 0 && !(await hadToEnd())) faults.push(`${request} by ${this.person.name}: no answer`)
    // A process that drains says so.
    if (status >= 500 && !(status === 503 && product.isEnding)) {
      const words = textOf(text).slice(0, SHOWN_TEXT)
      faults.push(`${request} by ${this.person.name}: ${status} ${words}`)
    }
    return answer
  }
}

function offers({ fields, buttons }: PageForm, wanted: string): boolean {
  return (
    fields.intent === wanted ||
    buttons.some(({ name, value, text }) => (name === 'intent' && value === wanted) || text === wanted)
  )
}

/** Fills a product with people, through its front door: two operators, and vendors whose listings can be booked. */
export async function settleIn(world: World, random: Random): Promise<void> {
  const join = async (person: Person) => {
    const hands = new Hands(world, person, random.branch())
    const { status } = await signUp(hands)
    if (status !== 302) throw new Error(`${person.name} could not sign up: ${status}`)
    return hands
  }
  await Promise.all([
    ...OPERATORS.map((email) => join(world.addPerson('operator', email)).then(confirmAddress)),
    ...Array.from({ length: VENDORS }, (_, index) =>
      join(world.addPerson('vendor')).then((hands) => list(hands, LISTINGS[index % LISTINGS.length] ?? {})),
    ),
    ...Array.from({ length: CUSTOMERS }, () => join(world.addPerson('customer')).then(confirmAddress)),
  ])
}

/** One sells places with a deposit, the other hours, to be paid at once. */
const LISTINGS: readonly Record<string, string>[] = [
  {
    price: '145',
    priceUnit: 'perPerson',
    policy: 'moderate',
    plan: 'deposit',
    depositPercent: '20',
    balanceDays: '30',
  },
  {
    price: '220',
    priceUnit: 'perHour',
    policy: 'flexible',
    plan: 'full',
    depositPercent: '20',
    balanceDays: '30',
  },
]

export function signUp({ person, post }: Hands): Promise<Answer> {
  return post('/signup', aSignUp(person.email, { displayName: person.name }))
}

export function signIn({ person, post }: Hands): Promise<Answer> {
  return post('/login', { email: person.email, password: PASSWORD })
}

/** Presses the link of the mail that confirms an address. */
async function confirmAddress(hands: Hands): Promise<void> {
  const path = await mailedPath(hands, /Confirm your email/)
  if (path) await hands.press(path, 'confirm')
}

/** Waits for a mail to this person and reads its first link. @returns its path, or null without such a mail */
export async function mailedPath({ world, person }: Hands, subject: RegExp): Promise<string | null> {
  for (let tries = 0; tries < MAIL_TRIES; tries++) {
    await world.product.waitForJobs()
    const mail = (await world.product.mails()).find(
      (one) => one.to === person.email && subject.test(one.subject),
    )
    const [link] = /https?:\/\/\S+/.exec(mail?.text ?? '') ?? []
    if (link) return new URL(link).pathname + new URL(link).search
  }
  return null
}

/** Lists a business and accepts the agreement, so that it is public. */
export async function list(hands: Hands, terms: Record<string, string>): Promise<void> {
  const form = '/dashboard/list-business/new'
  await hands.post(form, {
    name: `Hall of ${hands.person.name}`,
    category: 'Venues',
    description: 'A hall by the water.',
    location: 'Melbourne, VIC',
    servicesOffered: 'Tables, Chairs',
    ...terms,
  })
  await hands.press('/dashboard/agreement', 'Accept and publish')
}
