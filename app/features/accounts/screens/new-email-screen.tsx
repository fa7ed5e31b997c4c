import { Form, href } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import type { AccountResult } from '../components/account-form.tsx'
import { AccountForm } from '../components/account-form.tsx'
import { AccountPage } from '../components/account-page.tsx'
import { type ProofAsked, proofFields } from '../components/proof-fields.tsx'
import { withNext } from '../rules.ts'
import { changeEmailSchema, changeHostedEmailSchema } from '../schema.ts'

const PICTURE = 'hero-2/log-in'

/** Asks for a new address when the account has lost its own. */
export function NewEmailScreen({
  loaderData: { next, proofAsked },
  actionData,
}: {
  loaderData: { next: string; proofAsked: ProofAsked }
  actionData: { message: string | null; result: AccountResult } | undefined
}) {
  const proof = proofFields(proofAsked, actionData?.result)
  return (
    <AccountPage
      title="Give us another email"
      intro="The person who owns this account’s address took it off the account. Everything in the account is still here. To continue, give us an address of your own."
      picture={PICTURE}
    >
      {actionData?.message ? (
        <p role="status" className="mb-6">
          {actionData.message}
        </p>
      ) : null}
      <AccountForm
        key={actionData?.message ?? ''}
        schema={proofAsked ? changeEmailSchema : changeHostedEmailSchema}
        lastResult={actionData?.result}
        action={withNext(href('/new-email'), next)}
        step="change-email"
        submitLabel="Send the link"
        pendingLabel="Sending..."
        fields={[
          { name: 'email', label: 'New email', type: 'email', autoComplete: 'email' },
          ...proof.fields,
        ]}
      >
        {proof.children}
      </AccountForm>
      <Form method="post" action={href('/logout')} className="mt-3">
        <Button type="submit" variant="quiet" size="large" wide>
          Log out
        </Button>
      </Form>
    </AccountPage>
  )
}
