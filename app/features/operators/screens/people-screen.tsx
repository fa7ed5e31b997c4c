import { formatInstant } from '../../../shared/dates.ts'
import { Tag } from '../../../ui/tag.tsx'
import type { ApprovalAct } from '../act-rules.ts'
import type { Approval } from '../approval-queries.server.ts'
import { OperationForm } from '../components/operation-form.tsx'
import { OrderNote } from '../components/order-note.tsx'
import { ONLY_ADMIN_HINT, OPERATIONS_ZONE, PEOPLE_HINT, SECOND_ADMIN_HINT } from '../messages.ts'
import type { OperatorPerson } from '../people-queries.server.ts'

/** The operators with their roles, for admins. */
export function PeopleScreen({
  people,
  namings,
  ownId,
  isOnlyAdmin,
  needsFactor,
}: {
  people: readonly OperatorPerson[]
  /** The roles that wait for a second admin. */
  namings: readonly Approval<ApprovalAct<'naming'>>[]
  /** Whether no other admin could confirm a role. */
  isOnlyAdmin: boolean
  /** The admin's own account. */
  ownId: string
  /** Whether operators need two-step login or a passkey. */
  needsFactor: boolean
}) {
  return (
    <>
      <h1>People</h1>
      <p className="mt-4 max-w-prose text-quiet">{PEOPLE_HINT}</p>
      <p className="mt-2 max-w-prose text-quiet">{isOnlyAdmin ? ONLY_ADMIN_HINT : SECOND_ADMIN_HINT}</p>
      <div className="mt-6">
        <OperationForm act="name-operator" fields={{ role: { defaultValue: 'support' } }} />
      </div>
      <WaitingNamings namings={namings} ownId={ownId} />
      <ul className="mt-6 border-t border-line">
        {people.map((person) => (
          <li key={person.id} className="border-b border-line py-5">
            <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
              <div className="min-w-0">
                <h2 className="text-lg [overflow-wrap:anywhere]">
                  {person.name}
                  {person.id === ownId ? ' (you)' : ''}
                </h2>
                <p className="[overflow-wrap:anywhere]">{person.email}</p>
              </div>
              <p className="flex flex-wrap gap-2">
                <Tag tone={person.role === 'admin' ? 'brand' : 'neutral'}>{person.role}</Tag>
                {person.isClosed ? <Tag tone="error">disabled or deactivated</Tag> : null}
                {needsFactor && !person.hasSecondFactor ? (
                  <Tag tone="neutral">no second factor yet</Tag>
                ) : null}
              </p>
            </div>
            {person.isFromSettings ? (
              <p className="mt-2 text-sm text-quiet">
                Named in the settings (OPERATOR_EMAILS). Only the settings can change that.
              </p>
            ) : (
              <div className="mt-2 grid gap-1">
                <OperationForm
                  // The choice starts at the role after a change.
                  key={person.role}
                  act="change-role"
                  id={person.id}
                  values={{ seen: person.role }}
                  fields={{ role: { defaultValue: person.role } }}
                />
                <OperationForm
                  act="remove-operator"
                  id={person.id}
                  values={{ seen: person.role }}
                  question={{ title: `Remove ${person.name}’s role?` }}
                />
              </div>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

function WaitingNamings({
  namings,
  ownId,
}: {
  namings: readonly Approval<ApprovalAct<'naming'>>[]
  ownId: string
}) {
  if (namings.length === 0) return null
  return (
    <section aria-labelledby="waiting-namings" className="mt-8 max-w-prose">
      <h2 id="waiting-namings" className="text-xl">
        Waiting for another admin
      </h2>
      <ul className="mt-3 grid gap-3">
        {namings.map((naming) => {
          const isOwn = naming.askedBy === ownId
          const { role, formerRole } = naming.payload
          const until = new Date(naming.expiresAt ?? naming.askedAt)
          return (
            <li key={naming.id}>
              <OrderNote
                id={naming.id}
                hint={`${isOwn ? 'Another admin has to confirm it' : 'It waits for you or another admin'} until ${formatInstant(until, OPERATIONS_ZONE)}.`}
                confirm={isOwn ? null : { act: 'confirm-naming', label: `Confirm ${role}` }}
                drop="drop-naming"
              >
                {isOwn ? 'You want' : `${naming.askedByEmail} wants`} to give {naming.label} the role {role}
                {formerRole ? ` instead of ${formerRole}` : ''}.
              </OrderNote>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
