import { BlockList, isIPv4, isIPv6 } from 'node:net'

/**
 * IPv4 that is not the public internet (IANA's special-purpose registry), the relays that lead elsewhere, and addresses
 * that are public by their number while a cloud answers them from inside: Azure's 168.63.129.16 hands out settings and
 * certificates of the machine that asks, and IBM's services are at 161.26 and 166.8. (Alibaba's 100.100.100.200 and
 * Oracle's 192.0.0.192 lie in ranges below.)
 */
const closed = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['161.26.0.0', 16],
  ['166.8.0.0', 14],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  closed.addSubnet(network, bits, 'ipv4')
// Inside the public range of IPv6: Teredo and its neighbours, documentation, 6to4.
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  closed.addSubnet(network, bits, 'ipv6')

/**
 * All that IANA has given out to the public internet so far. Everything else falls outside: loopback, unique-local,
 * link-local, multicast, IPv4 in IPv6 (::ffff:0:0/96) and NAT64 (64:ff9b::/96, 64:ff9b:1::/48).
 */
const open = new BlockList()
open.addSubnet('2000::', 3, 'ipv6')

/**
 * Whether a connection to this address leaves for the public internet, so that a stranger's URL may be fetched there.
 * @param address an IP address in its usual form; a name is refused
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !closed.check(address, 'ipv4')
  if (isIPv6(address)) return open.check(address, 'ipv6') && !closed.check(address, 'ipv6')
  return false
}
