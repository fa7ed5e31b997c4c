import { isIPv4, isIPv6 } from 'node:net'
import { CLIENT_ADDRESS_HEADER } from '../accounts/port.ts'

/** X-Forwarded-For is attacker-controlled, so cap its length. */
const MAX_LENGTH = 100
/** Groups in a /64. Providers give each customer a whole /64, whose addresses the customer can use at will. */
const COUNTED_GROUPS = 4
/** Groups in a /48, the network of one site or of many customers. */
const COARSE_GROUPS = 3

/**
 * Normalises a client's address: without brackets, port and zone, IPv4-mapped IPv6 as IPv4, IPv6 in lower case and
 * compressed. Returns any other text unchanged but capped in length.
 * @param text a connection's address, or the client address that our proxy reports
 */
export function plainAddress(text: string): string {
  const host = /^\[([^\]]*)\](:\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  const [address = ''] = host.split('%')
  if (isIPv4(address) || !isIPv6(address)) return address.slice(0, MAX_LENGTH)
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(canonical)
  if (!mapped) return canonical
  return mapped
    .slice(1)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.')
}

/**
 * The network address that a request counts against: an IPv4 address, or the /64 of an IPv6 address. Every limit per
 * address uses it.
 */
export function limitedAddress(request: Pick<Request, 'headers'>): string {
  const address = plainAddress(request.headers.get(CLIENT_ADDRESS_HEADER) ?? 'unknown')
  return isIPv6(address) ? firstGroups(address, COUNTED_GROUPS) : address
}

/**
 * Returns the network of an address, as the security log keeps it: the /24 of an IPv4 address, the /48 of an IPv6
 * address. Null for anything else.
 */
export function coarseNetwork(text: string): string | null {
  const address = plainAddress(text)
  if (isIPv4(address)) return `${address.split('.').slice(0, 3).join('.')}.0/24`
  return isIPv6(address) ? firstGroups(address, COARSE_GROUPS) : null
}

/** @returns the network of the first `count` groups: '2001:db8:1::/48' for 3 */
function firstGroups(address: string, count: number): string {
  const [left = '', right] = address.split('::')
  const head = left ? left.split(':') : []
  const tail = right ? right.split(':') : []
  const zeros = right === undefined ? 0 : 8 - head.length - tail.length
  const groups = [...head, ...Array<string>(zeros).fill('0'), ...tail]
  return `${groups.slice(0, count).join(':')}::/${count * 16}`
}
