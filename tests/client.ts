import type { TestServer } from './server.ts'

/** A running product: a `TestServer` of this process, or the address of one that listens. */
type Product = {
  /** Where requests are sent. Read each time, since a product that starts again may have another port. */
  origin: string
  fetch?(request: Request): Promise<Response>
}

type Typed = string | Blob | readonly (string | Blob)[]

export type RequestOptions = Omit<RequestInit, 'headers'> & {
  /** A header that is undefined is left out, the origin too. */
  headers?: Record<string, string | undefined>
  /** A typed form. It is sent as multipart with a file in it, or with `multipart`. */
  fields?: Readonly<Record<string, Typed>>
  multipart?: boolean
  json?: unknown
  /** The Cookie header; none if empty. */
  cookie?: string
  /** The address in X-Forwarded-For, by which a server behind a trusted proxy counts. */
  address?: string
}

const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let addresses = 0

/** Another address each time, of those that no network has. */
export function nextAddress(): string {
  addresses++
  return `198.18.${(addresses >> 8) & 255}.${addresses & 255}`
}

/**
 * Sends one request. A write has the product's own origin, unless its headers name another.
 * A redirect is reported, not followed.
 * @param path a path with its query, or a whole address of the product
 */
export function sendTo(product: Product, path: string, options: RequestOptions = {}): Promise<Response> {
  const { fields, multipart, json, cookie, address, headers, ...init } = options
  const body = fields ? formOf(fields, multipart) : json === undefined ? init.body : JSON.stringify(json)
  const method = init.method ?? (body === undefined || body === null ? 'GET' : 'POST')
  const request = new Request(path.startsWith('/') ? product.origin + path : path, {
    redirect: 'manual',
    ...init,
    method,
    ...(body === undefined ? {} : { body }),
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    headers: present({
      origin: method === 'GET' || method === 'HEAD' ? undefined : product.origin,
      'content-type': json === undefined ? undefined : 'application/json',
      cookie: cookie || undefined,
      'x-forwarded-for': address,
      ...headers,
    }),
  } as RequestInit)
  return (product.fetch ?? fetch)(request)
}

const present = (headers: Record<string, string | undefined>) =>
  Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined)

function formOf(fields: Readonly<Record<string, Typed>>, multipart = false): URLSearchParams | FormData {
  const entries = Object.entries(fields).flatMap(([name, typed]) =>
    [typed].flat().map((value) => [name, value as string | Blob] as const),
  )
  if (!multipart && entries.every(([, value]) => typeof value === 'string'))
    return new URLSearchParams(entries as [string, string][])
  const form = new FormData()
  for (const [name, value] of entries) form.append(name, value)
  return form
}

/**
 * Stateless requests to a product: each has the cookies of its own options, if any.
 * @param productOf returns the product, which may start after the call
 * @param always returns options of every request
 */
export function requestsTo(productOf: () => Product, always: () => RequestOptions = () => ({})) {
  const send = (path: string, options: RequestOptions = {}) => {
    const usual = always()
    return sendTo(productOf(), path, {
      ...usual,
      ...options,
      headers: { ...usual.headers, ...options.headers },
    })
  }
  return {
    send,
    get: send,
    post: (path: string, fields: RequestOptions['fields'] = {}, options: RequestOptions = {}) =>
      send(path, { fields, ...options }),
    postJson: (path: string, json: unknown, options: RequestOptions = {}) => send(path, { json, ...options }),
  }
}

/** The cookies that a response sets, as the Cookie header of a new browser. */
export function cookiesOf(answer: { headers: Headers }): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

/** Logs a demo account in. @returns its Cookie header */
export async function logIn(server: Product, email: string): Promise<string> {
  return cookiesOf(await sendTo(server, '/login', { fields: { email, password: 'celebrate' } }))
}

export const PASSWORD = 'under the jacaranda'

/** The fields of the form of /signup, as a new person fills them in. */
export const aSignUp = (email: string, typed: { displayName?: string; password?: string } = {}) => ({
  displayName: 'Robin Vale',
  email,
  password: PASSWORD,
  ...typed,
})

/** Opens an account by the form. @returns its Cookie header and its id */
export async function signUp(
  server: TestServer,
  email: string,
  { address = null }: { address?: string | null } = {},
): Promise<{ cookie: string; userId: string }> {
  const client = new Client(server, address)
  const answer = await client.signUp(email)
  const { id } = await server.services.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  return { cookie: cookiesOf(answer), userId: id }
}

/** A browser without JavaScript: it keeps cookies, and reports redirects instead of following them. */
export class Client {
  readonly cookies = new Map<string, string>()
  email = ''
  readonly #product: Product
  // Each has its own rate limits, as long as the server trusts a proxy to name the client.
  readonly #address: string | null

  /** @param address in X-Forwarded-For, another one for each client by default. Null is this machine itself */
  constructor(product: Product, address: string | null = nextAddress()) {
    this.#product = product
    this.#address = address
  }

  async send(path: string, options: RequestOptions = {}): Promise<Response> {
    const response = await sendTo(this.#product, path, {
      cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...(this.#address === null ? {} : { address: this.#address }),
      ...options,
      headers: { 'user-agent': USER_AGENT, ...options.headers },
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const name = pair.slice(0, pair.indexOf('='))
      if (/max-age=0/i.test(cookie)) this.cookies.delete(name)
      else this.cookies.set(name, pair.slice(name.length + 1))
    }
    return response
  }

  get = (path: string) => this.send(path)

  post = (path: string, fields: RequestOptions['fields'] = {}, options: RequestOptions = {}) =>
    this.send(path, { fields, ...options })

  postJson = (path: string, json: unknown, options: RequestOptions = {}) =>
    this.send(path, { json, ...options })

  /** Opens an account by the form, which signs this browser in. */
  async signUp(email: string, typed: { displayName?: string; password?: string } = {}): Promise<Response> {
    const answer = await this.post('/signup', aSignUp(email, typed))
    if (answer.status !== 302) throw new Error(`${email} could not sign up: ${answer.status}`)
    this.email = email
    return answer
  }

  /** The same cookies in another browser, so that this one's actions don't change the original. */
  copy(): this {
    const copy = new (this.constructor as new (product: Product) => this)(this.#product)
    for (const [name, value] of this.cookies) copy.cookies.set(name, value)
    copy.email = this.email
    return copy
  }

  /** The signed-in user as the header shows them. */
  async user(): Promise<SessionUser | null> {
    const session = (await (await this.get('/api/session')).json()) as { user: SessionUser | null }
    return session.user
  }
}

type SessionUser = {
  uid: string
  email: string
  emailVerified: boolean
  avatarUrl: string | null
  isOperator: boolean
}
