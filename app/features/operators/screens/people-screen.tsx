import { Tag } from '../../../ui/tag.tsx'
import { type OperationField, OperationForm } from '../components/operation-form.tsx'
import { MAX_VENDOR_LENGTH, PEOPLE_HINT, ROLE_HINTS } from '../messages.ts'
import type { OperatorPerson } from '../people-queries.server.ts'
import { ROLES, type Role } from '../role-rules.ts'

/** The operators with their roles, for admins. */
export function PeopleScreen({
  people,
  ownId,
  needsFactor,
}: {
  people: readonly OperatorPerson[]
  /** The admin's own account. */
  ownId: string
  /** Whether operators need two-step login or a passkey. */
  needsFactor: boolean
}) {
  return (
    <>
      <h1>People</h1>
      <p className="mt-4 max-w-prose text-quiet">{PEOPLE_HINT}</p>
      <div className="mt-6">
        <OperationForm
          intent="name-operator"
          label="Name an operator"
          pendingLabel="Naming..."
          variant="brand"
          fields={[EMAIL_FIELD, roleField('support')]}
        />
      </div>
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
                  intent="change-role"
                  id={person.id}
                  label="Change role"
                  pendingLabel="Changing..."
                  values={{ seen: person.role }}
                  fields={[roleField(person.role)]}
                />
                <OperationForm
                  intent="remove-operator"
                  id={person.id}
                  label="Remove"
                  pendingLabel="Removing..."
                  variant="danger"
                  values={{ seen: person.role }}
                  confirm={{
                    title: `Remove ${person.name}’s role?`,
                    body: 'They can no longer open the operators’ screens. They keep their account.',
                    confirmLabel: 'Remove',
                    danger: true,
                  }}
                />
              </div>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

const EMAIL_FIELD = {
  name: 'email',
  label: 'Email of their account',
  hint: 'They have signed up and confirmed this address.',
  maxLength: MAX_VENDOR_LENGTH,
} as const satisfies OperationField

const roleField = (chosen: Role): OperationField => ({
  name: 'role',
  label: 'Role',
  hint: ROLES.map((role) => `${role}: ${ROLE_HINTS[role]}`).join(' '),
  defaultValue: chosen,
  options: ROLES.map((role) => ({ value: role, label: role })),
})
