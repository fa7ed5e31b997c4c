import { BlockList, isIPv4, isIPv6 } from 'node:net'

/**
 * IPv4 ranges outside the public internet (IANA's special-purpose registry), the 6to4 relays, and public addresses that
 * a cloud serves internally: Azure's 168.63.129.16 gives a machine its settings and certificates, and IBM's services
 * are at 161.26 and 166.8. (Alibaba's 100.100.100.200 and Oracle's 192.0.0.192 are in ranges below.)
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
// Exceptions inside the public range of IPv6: Teredo and its neighbours, documentation, 6to4.
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  closed.addSubnet(network, bits, 'ipv6')

/**
 * The whole range that IANA has assigned to the public internet so far. It excludes loopback, unique-local, link-local,
 * multicast, IPv4 in IPv6 (::ffff:0:0/96) and NAT64 (64:ff9b::/96, 64:ff9b:1::/48).
 */
const open = new BlockList()
open.addSubnet('2000::', 3, 'ipv6')

/**
 * Whether an address belongs to the public internet, so that a stranger's URL may be fetched from it.
 * @param address an IP address in its usual form; false for a name
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !closed.check(address, 'ipv4')
  if (isIPv6(address)) return open.check(address, 'ipv6') && !closed.check(address, 'ipv6')
  return false
}
