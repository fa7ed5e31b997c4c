import { href, Link } from 'react-router'
import { formatInstant } from '../../../shared/dates.ts'
import { groupAbn } from '../../businesses/rules.ts'
import type { SharedAbn } from '../../registrations/queries.server.ts'
import { OPERATIONS_ZONE } from '../messages.ts'

/** The ABNs that several accounts have registered (Decision 8). Renders nothing when there are none. */
export function SharedAbns({ shared }: { shared: readonly SharedAbn[] }) {
  if (shared.length === 0) return null
  return (
    <section className="mt-8 rounded-card bg-sunk p-5" aria-labelledby="shared-abns">
      <h2 id="shared-abns" className="text-lg">
        ABNs of several accounts
      </h2>
      <p className="mt-1 text-sm text-quiet">
        One business may have several accounts. Check that each of them may use its ABN.
      </p>
      <ul className="mt-4 grid gap-4">
        {shared.map(({ abn, registrations }) => (
          <li key={abn} className="border-t border-line pt-4">
            <h3 className="figures text-base">{groupAbn(abn)}</h3>
            <ul>
              {registrations.map(({ userId, businessName, createdAt }) => (
                <li key={userId} className="flex flex-wrap items-center gap-x-4">
                  <Link
                    className="link inline-flex min-h-11 items-center [overflow-wrap:anywhere]"
                    to={`${href('/operations/accounts')}?${new URLSearchParams({ q: userId })}`}
                  >
                    {businessName}
                  </Link>
                  <span className="figures text-sm text-quiet">
                    registered {formatInstant(new Date(createdAt), OPERATIONS_ZONE)}
                  </span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  )
}
