const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/
const FORWARDED = ['x-forwarded-for', 'forwarded', 'via']

/**
 * Whether a request comes from this machine itself, and not from a proxy on it that passed on somebody else's.
 * @param address where the connection comes from
 */
export function isFromThisMachine(headers: Headers, address: string): boolean {
  return LOOPBACK.test(address) && !FORWARDED.some((name) => headers.has(name))
}
