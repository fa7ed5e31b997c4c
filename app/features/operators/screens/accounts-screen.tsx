import { href, Link } from 'react-router'
import { formatInstant } from '../../../shared/dates.ts'
import { isPlaceholderEmail } from '../../../shared/placeholder-email.ts'
import { Banner } from '../../../ui/banner.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import type { DeletedAccount } from '../../accounts/security-queries.server.ts'
import type { SharedAbn } from '../../registrations/queries.server.ts'
import type { OperatorAccount } from '../account-queries.server.ts'
import { AccountOperations, AccountTags } from '../components/account-parts.tsx'
import { FilterLinks, ListFoot, type Pictures } from '../components/list-parts.tsx'
import { ListRow, RowActions } from '../components/list-rows.tsx'
import { SearchForm } from '../components/search-form.tsx'
import { SharedAbns } from '../components/shared-abns.tsx'
import { ACCOUNT_FILTER_LABELS, DELETED_ACCOUNT, OPERATIONS_ZONE } from '../messages.ts'
import { ACCOUNT_FILTERS, type AccountFilter } from '../rules.ts'

/** The list of accounts with a search, each to be disabled or enabled. */
export function AccountsScreen({
  words,
  disabled,
  filter,
  accounts,
  deleted,
  sharedAbns,
  pictures,
  older,
  isFirst,
  ownId,
  viewNote,
}: {
  words: string
  /** Lists only disabled accounts. */
  disabled: boolean
  filter: AccountFilter
  accounts: readonly OperatorAccount[]
  /** Deleted accounts that were searched by their id or address. */
  deleted: readonly DeletedAccount[]
  /** Empty on a searched or filtered list. */
  sharedAbns: readonly SharedAbn[]
  pictures: Pictures
  /** The cursor of the next page; null on the last. */
  older: string | null
  isFirst: boolean
  /** The operator's own account. */
  ownId: string
  /** The outcome of a view of the site as another person. */
  viewNote: string | null
}) {
  const hrefFor = (show: AccountFilter) =>
    `${href('/operations/accounts')}?${new URLSearchParams({ show, ...(words ? { q: words } : {}) })}`
  return (
    <>
      <h1>Accounts</h1>
      {viewNote ? (
        <div className="mt-4">
          <Banner>{viewNote}</Banner>
        </div>
      ) : null}
      <div className="mt-6 grid gap-5">
        <FilterLinks
          label="Filter accounts"
          names={ACCOUNT_FILTERS}
          labels={ACCOUNT_FILTER_LABELS}
          current={filter}
          hrefFor={hrefFor}
        />
        <SearchForm
          label="Name or email"
          words={words}
          keep={filter === 'all' ? {} : { show: filter }}
          checkbox={{ name: 'disabled', label: 'Disabled only', checked: disabled }}
        />
      </div>
      <SharedAbns shared={sharedAbns} />
      <DeletedAccounts accounts={deleted} />
      {accounts.length === 0 ? (
        <EmptyState
          text={words || filter !== 'all' || !disabled ? 'No account matches.' : 'No account is disabled.'}
        />
      ) : (
        <ul className="mt-6 border-t border-line">
          {accounts.map((account) => (
            <AccountRow
              key={account.id}
              account={account}
              image={pictures[account.businessId ?? '']}
              isOwn={account.id === ownId}
            />
          ))}
        </ul>
      )}
      <ListFoot
        path={href('/operations/accounts')}
        filter={{
          ...(filter === 'all' ? {} : { show: filter }),
          ...(words ? { q: words } : {}),
          ...(disabled ? { disabled: '1' } : {}),
        }}
        older={older}
        isFirst={isFirst}
        exportPath={href('/operations/export/:list', { list: 'accounts' })}
      />
    </>
  )
}

/** One account: its name and email, its state, its age and listings, and the operations on it. */
function AccountRow({
  account,
  image,
  isOwn,
}: {
  account: OperatorAccount
  /** The picture of its business. */
  image: Pictures[string] | undefined
  /** Whether it is that of the operator who is looking at the page. */
  isOwn: boolean
}) {
  return (
    <ListRow
      image={image}
      aside={
        <p className="figures text-sm text-quiet">
          Since {formatInstant(new Date(account.createdAt), OPERATIONS_ZONE)}
        </p>
      }
    >
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-0">
          <h2 className="text-base [overflow-wrap:anywhere]">{account.name}</h2>
          {isPlaceholderEmail(account.email) ? null : (
            <p className="text-sm [overflow-wrap:anywhere]">{account.email}</p>
          )}
        </div>
        <AccountTags account={account} />
      </div>
      {account.businesses > 0 || account.registeredName ? (
        <p className="figures mt-1 text-sm text-quiet">
          {[
            account.businesses > 0
              ? `${account.businesses} ${account.businesses === 1 ? 'listing' : 'listings'}`
              : null,
            account.registeredName ? `registered as ${account.registeredName}` : null,
          ]
            .filter((part) => part !== null)
            .join(', ')}
        </p>
      ) : null}
      {account.disabledReason ? <p className="mt-2 text-sm">Disabled: {account.disabledReason}</p> : null}
      <RowActions>
        <Link
          className="link inline-flex min-h-11 items-center"
          to={href('/operations/accounts/:id/activity', { id: account.id })}
          aria-label={`Activity of ${account.name}`}
        >
          Activity
        </Link>
        {account.businesses > 0 || account.registeredName ? (
          <Link
            className="link inline-flex min-h-11 items-center"
            to={href('/operations/vendors/:id', { id: account.id })}
            aria-label={`${account.name} as a vendor`}
          >
            As a vendor
          </Link>
        ) : null}
        <AccountOperations account={account} isOwn={isOwn} />
      </RowActions>
    </ListRow>
  )
}

/** Deleted accounts, of which only the security log is left. */
function DeletedAccounts({ accounts }: { accounts: readonly DeletedAccount[] }) {
  if (accounts.length === 0) return null
  return (
    <ul className="mt-6 border-t border-line">
      {accounts.map(({ id, deletedAt }) => (
        <li key={id} className="border-b border-line py-5">
          <h2 className="text-lg">{DELETED_ACCOUNT}</h2>
          <p className="figures mt-1 text-sm text-quiet">
            {formatInstant(new Date(deletedAt), OPERATIONS_ZONE)}
          </p>
          <Link
            className="link inline-flex min-h-11 items-center"
            to={href('/operations/accounts/:id/activity', { id })}
          >
            Activity
          </Link>
        </li>
      ))}
    </ul>
  )
}
