import type { TestServer } from './server.ts'

let addresses = 0

/** Another address each time, of those that no network has (RFC 5737 has 256, which the files of a lane use up). */
function nextAddress(): string {
  addresses++
  return `198.18.${addresses >> 8}.${addresses & 255}`
}

/** A browser without JavaScript. It keeps cookies, submits forms and reports redirects instead of following them. */
export class FormBrowser {
  readonly cookies = new Map<string, string>()
  email = ''
  readonly #server: TestServer
  // Each browser has its own rate limits, as long as the server trusts a proxy to name the client.
  readonly #address = nextAddress()

  constructor(server: TestServer) {
    this.#server = server
  }

  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await this.#server.fetch(
      new Request(`${this.#server.origin}${path}`, {
        ...init,
        redirect: 'manual',
        headers: {
          cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
          'x-forwarded-for': this.#address,
          ...init.headers,
        },
      }),
    )
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const name = pair.slice(0, pair.indexOf('='))
      if (/max-age=0/i.test(cookie)) this.cookies.delete(name)
      else this.cookies.set(name, pair.slice(name.length + 1))
    }
    return response
  }

  get = (path: string) => this.send(path)

  post = (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    this.send(path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { origin: this.#server.origin, ...headers },
    })

  /** The same cookies in another browser, so that this one's actions don't change the original. */
  copy(): this {
    const copy = new (this.constructor as new (server: TestServer) => this)(this.#server)
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

const MAIL_WAIT_MS = 20_000

/**
 * Waits until the job queue has sent a mail to an address.
 * @param subject matches the mail's subject
 * @param unlike the message id of a mail that doesn't count
 */
export async function mailTo(server: TestServer, email: string, subject: RegExp, unlike?: string) {
  for (const deadline = Date.now() + MAIL_WAIT_MS; Date.now() < deadline; ) {
    const mails = (await server.services.outbox?.list(100)) ?? []
    const found = mails.find(
      (mail) => mail.to === email && subject.test(mail.subject) && mail.messageId !== unlike,
    )
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`No mail to ${email} with a subject like ${subject}`)
}

/** The path of the first link in a mail. */
export function linkIn(mail: { text: string }): string {
  const url = new URL(/https?:\/\/\S+/.exec(mail.text)?.[0] ?? '')
  return url.pathname + url.search
}
