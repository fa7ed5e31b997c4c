import { data } from 'react-router'
import { toPolicyDocument } from '../../features/accounts/rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import type { Route } from './+types/password-policy'

/** What new passwords must have (Specification, section 5); the forms check it live, the server decides by it. */
export function loader({ context }: Route.LoaderArgs) {
  const { config } = context.get(servicesContext)
  return data(toPolicyDocument(config.passwordPolicy), {
    headers: { 'cache-control': 'public, max-age=300' },
  })
}
