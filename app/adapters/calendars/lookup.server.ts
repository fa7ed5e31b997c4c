import { type LookupAddress, lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'

/** A stranger's URL leads, or would lead, to an address that isn't allowed. */
export class RefusedAddress extends Error {}

/**
 * The system's DNS lookup for a request. It refuses a name unless every address in the answer is allowed. The connection opens
 * to the very address that was checked, which defeats DNS rebinding. The refusal is the cause of the request's error.
 */
export function checkedLookup(isAllowedAddress: (address: string) => boolean): LookupFunction {
  return (hostname, lookupOptions, callback) => {
    lookup(hostname, { ...lookupOptions, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, [])
      if (addresses.length === 0 || !addresses.every(({ address }) => isAllowedAddress(address)))
        return callback(new Error('refused', { cause: new RefusedAddress('refused address') }), [])
      if (lookupOptions.all) return callback(null, addresses)
      const [{ address, family }] = addresses as [LookupAddress]
      callback(null, address, family)
    })
  }
}

/** Whether a URL may be requested, judged by its text: a literal IP address never goes through the lookup. */
export function isAllowedTarget(
  url: URL,
  rules: {
    protocols: readonly string[]
    isAllowedAddress: (address: string) => boolean
    isAllowedPort: (port: number) => boolean
  },
): boolean {
  if (!rules.protocols.includes(url.protocol)) return false
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  if (!rules.isAllowedPort(port)) return false
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return !isIP(host) || rules.isAllowedAddress(host)
}
