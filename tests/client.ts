import type { TestServer } from './server.ts'

/** A form of a page as a browser would send it, before anything is typed. */
export type PageForm = {
  /** The path that it is sent to. */
  action: string
  fields: Record<string, string>
  /** The buttons that send it, each with its name and value, and its text. */
  buttons: { name: string; value: string; text: string }[]
}

/** A response with its text, or status 0 where the connection broke first. */
export type Answer = {
  status: number
  headers: Headers
  text: string
  /** The path that a redirect leads to; null without one. */
  location: string | null
}

type Product = {
  /** Where requests are sent. Read each time, since a product that starts again may have another port. */
  origin: string
  fetch?(request: Request): Promise<Response>
}

const FORM = /<form\b[^>]*>/g
const CONTROL = /<(input|select|textarea|button)\b([^>]*)>/g
const OPTION = /<option\b([^>]*)>/g
const UNSEEN = /<(script|style)\b[^>]*>[\s\S]*?<\/\1>/g
const TAG = /<[^>]*>/g
const ENTITY = /&(amp|lt|gt|quot|#39|#x27);/g
const SPACE = /\s+/g
const CHARACTERS: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#x27': "'",
}
const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let addresses = 0

/** Another address each time, of those that no network has. */
function nextAddress(): string {
  addresses++
  return `198.19.${(addresses >> 8) & 255}.${addresses & 255}`
}

/**
 * A browser without JavaScript: it keeps cookies, reads the forms of pages, and reports redirects instead of following them.
 * It works with a listening server and with one of this process (`TestServer`).
 */
export class Client {
  readonly cookies = new Map<string, string>()
  readonly #product: Product
  // Each has its own rate limits, as long as the server trusts a proxy to name the client.
  readonly #address: string | null

  /** @param address in X-Forwarded-For, another one for each client by default. Null is this machine itself */
  constructor(product: Product | TestServer, address: string | null = nextAddress()) {
    this.#product = product
    this.#address = address
  }

  async send(path: string, init: RequestInit = {}): Promise<Answer> {
    const { origin } = this.#product
    const isWrite = init.method !== undefined && init.method !== 'GET'
    const request = new Request(origin + path, {
      ...init,
      redirect: 'manual',
      headers: {
        'user-agent': USER_AGENT,
        accept: 'text/html,*/*',
        ...(this.#address === null ? {} : { 'x-forwarded-for': this.#address }),
        ...(this.cookies.size > 0
          ? { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
          : {}),
        ...(isWrite ? { origin } : {}),
        ...init.headers,
      },
    })
    try {
      const response = await (this.#product.fetch ?? fetch)(request)
      // Also of an answer that breaks off later.
      this.#keepCookies(response.headers)
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

  #keepCookies(headers: Headers): void {
    for (const cookie of headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const name = pair.slice(0, pair.indexOf('='))
      if (/max-age=0/i.test(cookie)) this.cookies.delete(name)
      else this.cookies.set(name, pair.slice(name.length + 1))
    }
  }

  get = (path: string) => this.send(path)

  post = (path: string, fields: Record<string, string> = {}, init: RequestInit = {}) =>
    this.send(path, { method: 'POST', body: new URLSearchParams(fields), ...init })

  /** Posts a form as the page's script does, which answers with data alone. A redirect looks like that of a page. */
  async submit(path: string, fields: Record<string, string>, init: RequestInit = {}): Promise<Answer> {
    const [page = '', query] = path.split('?', 2)
    const data = `${page}.data${query === undefined ? '' : `?${query}`}`
    const answer = await this.send(data, { method: 'POST', body: new URLSearchParams(fields), ...init })
    if (answer.status !== 202) return answer
    const { redirect, status } = pageDataOf(answer) as { redirect?: string; status?: number }
    return {
      ...answer,
      status: status ?? 302,
      location: redirect === undefined ? null : pathOf(redirect, this.#product.origin),
    }
  }

  postJson = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    this.send(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })
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
 * The forms of a page. Choices have what is chosen, lists their first option without one, and boxes count only while they are
 * ticked, as in a browser.
 * @param path the page's own, to which a form without an action is sent
 */
export function formsOf(html: string, path: string): PageForm[] {
  return [...html.matchAll(FORM)].map(({ 0: tag, index }) => {
    const inside = html.slice(index + tag.length, endOf(html, '</form>', index))
    const form: PageForm = { action: attribute(tag, 'action') ?? path, fields: {}, buttons: [] }
    for (const control of inside.matchAll(CONTROL)) {
      const [whole, kind = '', attributes = ''] = control
      const rest = inside.slice(control.index + whole.length)
      addControl(form, { kind, attributes, rest })
    }
    return form
  })
}

function addControl(form: PageForm, control: { kind: string; attributes: string; rest: string }): void {
  const { kind, attributes, rest } = control
  const name = attribute(attributes, 'name')
  if (kind === 'button') {
    const text = textOf(rest.slice(0, endOf(rest, '</button>')))
    form.buttons.push({ name: name ?? '', value: attribute(attributes, 'value') ?? '', text })
    return
  }
  if (!name || has(attributes, 'disabled')) return
  if (kind === 'textarea') form.fields[name] = decode(rest.slice(0, endOf(rest, '</textarea>')))
  else if (kind === 'select') form.fields[name] = chosenOption(rest.slice(0, endOf(rest, '</select>')))
  else {
    const type = attribute(attributes, 'type')
    if ((type === 'checkbox' || type === 'radio') && !has(attributes, 'checked')) return
    form.fields[name] = attribute(attributes, 'value') ?? (type === 'checkbox' ? 'on' : '')
  }
}

function chosenOption(html: string): string {
  const options = [...html.matchAll(OPTION)].map(([, attributes = '']) => attributes)
  const chosen = options.find((attributes) => has(attributes, 'selected')) ?? options[0] ?? ''
  return attribute(chosen, 'value') ?? ''
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

/** The words of a piece of HTML. */
export const textOf = (html: string): string =>
  decode(html.replace(UNSEEN, ' ').replace(TAG, ' ')).replace(SPACE, ' ').trim()

function endOf(html: string, tag: string, from = 0): number {
  const end = html.indexOf(tag, from)
  return end < 0 ? html.length : end
}

function attribute(tag: string, name: string): string | null {
  const start = tag.indexOf(` ${name}="`)
  if (start < 0) return null
  const from = start + name.length + 3
  return decode(tag.slice(from, tag.indexOf('"', from)))
}

const has = (attributes: string, name: string) =>
  attributes.includes(` ${name}=""`) || attributes.endsWith(` ${name}`)

const decode = (text: string) => text.replace(ENTITY, (_, name: string) => CHARACTERS[name] ?? '')

function pathOf(location: string, origin: string): string {
  const url = new URL(location, origin)
  return url.pathname + url.search
}
