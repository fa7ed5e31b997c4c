import { Client, type RequestOptions } from '../client.ts'

/** A response with its text, or status 0 where the connection broke first. */
export type Answer = {
  status: number
  headers: Headers
  text: string
  /** The path that a redirect leads to; null without one. */
  location: string | null
}

type Product = ConstructorParameters<typeof Client>[0]

/** A client of a product whose processes end in the middle of requests: it reads each response whole, and never throws. */
export class HistoryClient {
  readonly #product: Product
  readonly #client: Client

  /** @param address as of a client */
  constructor(product: Product, address?: string | null) {
    this.#product = product
    this.#client = new Client(product, address)
  }

  get cookies(): Map<string, string> {
    return this.#client.cookies
  }

  async send(path: string, options: RequestOptions = {}): Promise<Answer> {
    try {
      const headers = { accept: 'text/html,*/*', ...options.headers }
      const response = await this.#client.send(path, { ...options, headers })
      const location = response.headers.get('location')
      return {
        status: response.status,
        headers: response.headers,
        text: await response.text(),
        location: location === null ? null : pathOf(location, this.#product.origin),
      }
    } catch {
      return { status: 0, headers: new Headers(), text: '', location: null }
    }
  }

  get = (path: string) => this.send(path)

  post = (path: string, fields: Record<string, string> = {}, options: RequestOptions = {}) =>
    this.send(path, { fields, ...options })

  postJson = (path: string, json: unknown, options: RequestOptions = {}) =>
    this.send(path, { json, ...options })

  /** Posts a form as the page's script does, which answers with data alone. A redirect looks like that of a page. */
  async submit(path: string, fields: Record<string, string>, options: RequestOptions = {}): Promise<Answer> {
    const [page = '', query] = path.split('?', 2)
    const answer = await this.post(`${page}.data${query === undefined ? '' : `?${query}`}`, fields, options)
    if (answer.status !== 202) return answer
    const { redirect, status } = pageDataOf(answer) as { redirect?: string; status?: number }
    return {
      ...answer,
      status: status ?? 302,
      location: redirect === undefined ? null : pathOf(redirect, this.#product.origin),
    }
  }
}

/** The answer's JSON. @returns an empty object for anything else */
export function jsonOf<Body extends object>({ text }: Answer): Partial<Body> {
  try {
    return JSON.parse(text) as Body
  } catch {
    return {}
  }
}

/**
 * The data of a page, as its script gets it from `{path}.data`: React Router's own format, a list of values that refer to each
 * other by position.
 * @returns the loaders' data by route id, each under 'data'; empty for anything else
 */
export function pageDataOf(answer: Answer): Record<string, unknown> {
  const values = jsonOf<unknown[]>({ ...answer, text: answer.text.split('\n', 1)[0] ?? '' })
  if (!Array.isArray(values)) return {}
  const valueAt = (index: unknown): unknown => {
    const value = typeof index === 'number' ? values[index] : undefined
    if (Array.isArray(value)) return typeof value[0] === 'string' ? value[1] : value.map(valueAt)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([key, at]) => [valueAt(Number(key.slice(1))), valueAt(at)])
    return Object.fromEntries(entries)
  }
  return valueAt(0) as Record<string, unknown>
}

function pathOf(location: string, origin: string): string {
  const url = new URL(location, origin)
  return url.pathname + url.search
}
