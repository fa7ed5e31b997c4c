import { describe, expect, it } from 'vitest'
import { CLIENT_ADDRESS_HEADER } from '../accounts/port.ts'
import { coarseNetwork, limitedAddress, plainAddress } from './addresses.ts'

const counted = (address: string) =>
  limitedAddress({ headers: new Headers({ [CLIENT_ADDRESS_HEADER]: address }) })

describe('a client’s address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:51234', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['::1', '::1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['[2001:db8::1]:51234', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    // Not IPv4-mapped: another prefix that ends in an IPv4 address.
    ['64:ff9b::203.0.113.7', '64:ff9b::cb00:7107'],
    ['unknown', 'unknown'],
    ['', ''],
    ['x'.repeat(5_000), 'x'.repeat(100)],
  ])('of the form %s is normalised to %s', (given, plain) => {
    expect(plainAddress(given)).toBe(plain)
  })
})

describe('a limit by network address', () => {
  it('counts each IPv4 address separately, whether or not it is mapped into IPv6', () => {
    expect(counted('203.0.113.7')).toBe('203.0.113.7')
    expect(counted('::ffff:203.0.113.7')).toBe('203.0.113.7')
    expect(counted('::ffff:203.0.113.8')).not.toBe(counted('::ffff:203.0.113.7'))
  })

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
    ['2001:db8:1:2::', '2001:0DB8:0001:0002:0:0:0:1'],
    ['2001:db8::1', '2001:db8:0:0:1::'],
    ['2001:db8:0:1::', '2001:db8::1:0:0:0:0'],
    ['2001:db8::1:2:3:4', '2001:db8::'],
    ['::1', '::2'],
  ])('counts %s and %s together, in one /64', (one, other) => {
    expect(counted(one)).toBe(counted(other))
  })

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['2001:db8:0:1::', '2001:db8::2:0:0:0:0'],
    ['1:2:3:4::', '1:2:3::4'],
  ])('counts %s and %s separately', (one, other) => {
    expect(counted(one)).not.toBe(counted(other))
  })

  it('counts requests without an address together', () => {
    expect(limitedAddress({ headers: new Headers() })).toBe('unknown')
  })
})

describe('the network of an address, as the security log keeps it,', () => {
  it.each([
    ['203.0.113.7', '203.0.113.0/24'],
    ['::ffff:203.0.113.7', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
    ['unknown', null],
    ['', null],
    ['203.0.113', null],
  ])('of %j is %j', (address, network) => {
    expect(coarseNetwork(address)).toBe(network)
  })
})
