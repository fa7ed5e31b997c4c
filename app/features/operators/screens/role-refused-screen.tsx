import { href } from 'react-router'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { rolesText } from '../messages.ts'
import type { RoleRefusal } from '../role-rules.ts'

/** The page for an operator whose role isn't enough. */
export function RoleRefusedScreen({ role, needs }: RoleRefusal) {
  return (
    <>
      <title>Your role can’t do this</title>
      <EmptyState
        heading="h1"
        title="Your role can’t do this"
        text={`This needs the role ${rolesText(needs)}. Yours is ${role}. An admin can change it under People.`}
        action={<ButtonLink to={href('/operations')}>Go to the overview</ButtonLink>}
      />
    </>
  )
}
