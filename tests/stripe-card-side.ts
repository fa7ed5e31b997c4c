import { randomBytes } from 'node:crypto'

type Answer = { status: number; body: object }
type Method = Record<string, unknown> & { id: string; customer: string | null; card: object }
type Setup = Record<string, unknown> & { id: string; client_secret: string; customer: string; status: string }

/** Customers, the cards that are kept for them, and card setups: a part of the fake of Stripe's API. */
export function createCardSide(deps: {
  id: (prefix: string) => string
  seconds: () => number
  error: (status: number, type: string, code: string | undefined, message: string) => Answer
}) {
  const { id, seconds, error } = deps
  const customers = new Set<string>()
  const methods = new Map<string, Method>()
  const setups = new Map<string, Setup>()
  /** By customer: the refusals of the next charges while the customer is away. */
  const refusals = new Map<string, string[]>()

  function addMethod(customer: string): string {
    const method: Method = {
      id: id('pm'),
      object: 'payment_method',
      billing_details: { address: null, email: null, name: null, phone: null },
      card: {
        brand: 'visa',
        checks: null,
        country: 'AU',
        exp_month: 12,
        exp_year: 2030,
        funding: 'credit',
        generated_from: null,
        last4: '4242',
        networks: null,
        three_d_secure_usage: null,
        wallet: null,
      },
      created: seconds(),
      customer,
      livemode: false,
      metadata: {},
      type: 'card',
    }
    methods.set(method.id, method)
    return method.id
  }

  const missing = (what: string, name: string) =>
    error(404, 'invalid_request_error', 'resource_missing', `No such ${what}: '${name}'`)

  function createSetup(body: Record<string, unknown>): Answer {
    const customer = String(body.customer)
    if (!customers.has(customer)) return missing('customer', customer)
    const setup: Setup = {
      id: id('seti'),
      object: 'setup_intent',
      client_secret: '',
      created: seconds(),
      customer,
      livemode: false,
      metadata: {},
      payment_method: null,
      payment_method_types: body.allowed_payment_method_types,
      status: 'requires_payment_method',
      usage: body.usage,
    }
    setup.client_secret = `${setup.id}_secret_${randomBytes(12).toString('hex')}`
    setups.set(setup.id, setup)
    return { status: 200, body: { ...setup } }
  }

  function detach(name: string): Answer {
    const method = methods.get(name)
    if (!method) return missing('PaymentMethod', name)
    if (!method.customer)
      return error(
        400,
        'invalid_request_error',
        undefined,
        'The payment method you provided is not attached to a customer so detachment is impossible.',
      )
    method.customer = null
    return { status: 200, body: { ...method } }
  }

  return {
    addMethod,
    hasCustomer: (name: unknown) => customers.has(String(name)),
    findMethod: (name: unknown) => methods.get(String(name)),
    /** The refusal of a customer's next charge; undefined when it succeeds. */
    takeRefusal: (customer: unknown) => refusals.get(String(customer))?.shift(),

    answer(method: string, path: string, body: Record<string, unknown>): Answer | null {
      if (path === '/v1/customers' && method === 'POST') {
        const customer = id('cus')
        customers.add(customer)
        const created = {
          object: 'customer',
          created: seconds(),
          livemode: false,
          metadata: body.metadata ?? {},
        }
        return { status: 200, body: { id: customer, ...created } }
      }
      if (path === '/v1/setup_intents' && method === 'POST') return createSetup(body)
      const [, kind, name = '', verb] =
        /^\/v1\/(setup_intents|payment_methods)\/([^/]+)(?:\/(\w+))?$/.exec(path) ?? []
      if (kind === 'setup_intents' && method === 'GET') {
        const setup = setups.get(name)
        if (!setup) return missing('setupintent', name)
        const wanted = Array.isArray(body.expand) && body.expand.includes('payment_method')
        const card = methods.get(String(setup.payment_method))
        return {
          status: 200,
          body: { ...setup, payment_method: wanted && card ? card : setup.payment_method },
        }
      }
      if (kind === 'payment_methods' && method === 'POST' && verb === 'detach') return detach(name)
      if (kind === 'payment_methods' && method === 'GET') {
        const card = methods.get(name)
        return card ? { status: 200, body: { ...card } } : missing('PaymentMethod', name)
      }
      return null
    },

    /** Confirms a card setup, as the card form does in the browser. */
    confirmSetup(clientSecret: string) {
      const setup = [...setups.values()].find((one) => one.client_secret === clientSecret)
      if (!setup) throw new Error('No such setup.')
      Object.assign(setup, { status: 'succeeded', payment_method: addMethod(setup.customer) })
    },
    /** Refuses a customer's next charges, each with its decline code. */
    refuseCharges(customer: string, ...codes: string[]) {
      refusals.set(customer, codes)
    },
    /** A new expiry date, as a card's bank reports it. */
    renewCard(method: string, year: number) {
      const found = methods.get(method)
      if (found) found.card = { ...found.card, exp_year: year }
    },
  }
}

export type StripeCardSide = ReturnType<typeof createCardSide>
