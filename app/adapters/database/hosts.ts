const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)([^?#]*)(\?[^#]*)?$/
const TARGET = 'target_session_attrs'

/**
 * The address of each host that a PostgreSQL address names, as in `postgres://user@one:5432,two:5432/name`. Of several,
 * the one that takes writes is used, so `target_session_attrs` may say `read-write` or `primary`, and nothing else.
 * @returns in the order of the address; null when it can't be read
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
