const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)((?:\/[^?#]*)?)(\?[^#]*)?$/
const TARGET = 'target_session_attrs'

/**
 * Returns an address for each host of a PostgreSQL address like `postgres://user@one:5432,two:5432/name`. The product
 * uses the host that accepts writes, so `target_session_attrs` must be `read-write`, `primary` or absent.
 * @returns the addresses in order; null for an invalid address
 */
export function addressesOfHosts(address: string): string[] | null {
  const [, start = '', hosts = '', path = '', query = ''] = ADDRESS.exec(address) ?? []
  if (!start) return null
  const parameters = new URLSearchParams(query)
  if (!['read-write', 'primary', null].includes(parameters.get(TARGET))) return null
  parameters.delete(TARGET)
  const end = parameters.size > 0 ? `${path}?${parameters}` : path
  const addresses = hosts.split(',').map((host) => `${start}${host}${end}`)
  const isWrong = (one: string, host: string) => !URL.canParse(one) || (addresses.length > 1 && host === '')
  return addresses.some((one, index) => isWrong(one, hosts.split(',')[index] ?? '')) ? null : addresses
}
