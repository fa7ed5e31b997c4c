import { useContext } from 'react'
import { href } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { MAX_REASON_LENGTH } from '../messages.ts'
import { mayOpen } from '../role-rules.ts'
import { OperatorRole } from './operator-role.tsx'

/**
 * Starts a view of the product as this account. A plain form: the whole document changes with it, and no page of before stays.
 */
export function SeeAsForm({ id, name }: { id: string; name: string }) {
  const role = useContext(OperatorRole)
  const path = href('/operations/see-as/:step?')
  if (!role || !mayOpen(role, path)) return null
  return (
    <details className="w-full max-w-column">
      <summary className="link inline-flex min-h-11 cursor-pointer items-center">See as this person…</summary>
      <form method="post" action={path} className="mt-2 grid gap-4 rounded-card bg-sunk p-4">
        <input type="hidden" name="id" value={id} />
        <TextField
          label="Reason"
          name="reason"
          hint="For 30 minutes you see their bookings, dashboard and listings, and can change nothing. The log has each page, and they can see that someone looked."
          maxLength={MAX_REASON_LENGTH}
          autoComplete="off"
          required
        />
        <Button type="submit" variant="secondary" className="justify-self-start">
          See as {name}
        </Button>
      </form>
    </details>
  )
}
