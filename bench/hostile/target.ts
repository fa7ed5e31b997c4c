import { request } from 'node:http'

/** The login of the mail service's webhook. */
export const MAIL_LOGIN = 'postmark:0123456789abcdef'

/** The product under attack, with sessions of the demo's accounts. */
export type Target = { origin: string; cookies: { customer: string; vendor: string } }

/** One kind of hostile input. `send` resolves with the statuses that it got, as text. */
export type HostileCase = { name: string; send(target: Target): Promise<string> }

/** Signs the demo's accounts in. */
export async function openTarget(origin: string): Promise<Target> {
  const logIn = async (role: string) => {
    const body = new URLSearchParams({ email: `${role}@jubilee.example`, password: 'celebrate' })
    const answer = await fetch(`${origin}/login`, {
      method: 'POST',
      body,
      headers: { origin },
      redirect: 'manual',
    })
    if (answer.status !== 302) throw new Error(`The ${role} could not log in: ${answer.status}`)
    return answer.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ')
  }
  return { origin, cookies: { customer: await logIn('customer'), vendor: await logIn('vendor') } }
}

/** Sends a whole body, which may be refused while it is being sent. @returns the response's status */
export async function post(
  { origin }: Target,
  path: string,
  body: string | Buffer,
  headers: Record<string, string> = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(body)
    const sending = request(`${origin}${path}`, {
      method: 'POST',
      // A connection of its own, since making a body may take longer than an idle one lives.
      agent: false,
      headers: { origin, 'content-length': bytes.length, ...headers },
    })
    sending.on('response', (answer) => {
      answer.resume()
      answer.on('end', () => resolve(String(answer.statusCode)))
    })
    sending.on('error', reject)
    sending.end(bytes)
  })
}

/** Opens an address. @returns the response's status */
export async function get({ origin }: Target, path: string): Promise<string> {
  const answer = await fetch(`${origin}${path}`)
  await answer.arrayBuffer()
  return String(answer.status)
}

export const BOUNDARY = 'a-boundary-of-27-characters'
export const MULTIPART = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
export const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
export const JSON_TYPE = { 'content-type': 'application/json' }

/** A multipart body of named fields and files. */
export function multipart(parts: readonly { header: string; value: string | Buffer }[]): Buffer {
  return Buffer.concat([
    ...parts.flatMap(({ header, value }) => [
      Buffer.from(`--${BOUNDARY}\r\ncontent-disposition: form-data; ${header}\r\n\r\n`),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ])
}

/** Counts statuses: '2 × 429, 1 × waits'. */
export function countOf(statuses: readonly string[]): string {
  const counts = Map.groupBy(statuses, (status) => status)
  return [...counts].map(([status, all]) => `${all.length} × ${status}`).join(', ')
}
