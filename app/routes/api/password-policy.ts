import { data } from 'react-router'
import { toPolicyDocument } from '../../features/accounts/rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import type { Route } from './+types/password-policy'

/** The requirements of new passwords (Specification, section 5). The forms check them live; the server decides. */
export function loader({ context }: Route.LoaderArgs) {
  const { config } = context.get(servicesContext)
  return data(toPolicyDocument(config.passwordPolicy), {
    headers: { 'cache-control': 'public, max-age=300' },
  })
}
