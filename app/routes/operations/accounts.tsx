import { hashAddress } from '../../features/accounts/security-commands.server.ts'
import { findDeletedAccounts } from '../../features/accounts/security-queries.server.ts'
import { listAccounts } from '../../features/operators/account-queries.server.ts'
import { VIEW_NOTES } from '../../features/operators/messages.ts'
import { readWords } from '../../features/operators/rules.ts'
import { accountFilterSchema } from '../../features/operators/schema.ts'
import { AccountsScreen } from '../../features/operators/screens/accounts-screen.tsx'
import { listSharedAbns } from '../../features/registrations/queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/accounts'
import { loadPage } from './list-page.server.ts'
import { requireOperator } from './operator.server.ts'
import { performOperation } from './perform.server.ts'

/** The newest ones are enough: an operator deals with them as they come. */
const SHARED_ABNS_SHOWN = 20

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Accounts | Operations', matches[0]?.loaderData)

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { config, db, now } = context.get(servicesContext)
  const operator = await requireOperator({ request, context })
  const words = readWords(url.searchParams.get('q'))
  const filter = accountFilterSchema.parse(url.searchParams.get('show') ?? 'all')
  const disabled = url.searchParams.has('disabled')
  const { rows: accounts, ...page } = await loadPage(
    { db, url },
    (range) =>
      listAccounts(db, { words, disabled, filter, now: now(), adminEmails: config.operatorEmails, ...range }),
    ({ businessId }) => businessId,
  )
  const addressHash = await hashAddress(config.secret, words)
  const deleted = words === '' ? [] : await findDeletedAccounts(db, { id: words, addressHash })
  const isWholeList = page.isFirst && words === '' && filter === 'all' && !disabled
  const sharedAbns = isWholeList ? await listSharedAbns(db, SHARED_ABNS_SHOWN) : []
  const note = url.searchParams.get('view') ?? ''
  const viewNote = Object.hasOwn(VIEW_NOTES, note) ? VIEW_NOTES[note as keyof typeof VIEW_NOTES] : null
  return { words, disabled, filter, accounts, deleted, sharedAbns, ...page, ownId: operator.userId, viewNote }
}

export function action({ request, context }: Route.ActionArgs) {
  return performOperation(request, context)
}

export default function Accounts({ loaderData }: Route.ComponentProps) {
  return <AccountsScreen {...loaderData} />
}
