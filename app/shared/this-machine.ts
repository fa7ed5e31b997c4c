const LOOPBACK_ADDRESS = /^(127\.|::1$|::ffff:127\.)/
const LOOPBACK_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
const FORWARDED = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via']

/**
 * Whether a request comes from this machine itself: neither through a proxy on it, nor from another site's page in its
 * browser. DNS rebinding can point such a site's name to 127.0.0.1, but the Host header still has that name.
 * @param address the connection's remote address
 */
export function isFromThisMachine(request: Pick<Request, 'url' | 'headers'>, address: string): boolean {
  return (
    LOOPBACK_ADDRESS.test(address) &&
    LOOPBACK_HOST.test(new URL(request.url).hostname) &&
    !FORWARDED.some((name) => request.headers.has(name))
  )
}
