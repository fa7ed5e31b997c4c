import { useEffect } from 'react'
import { useNavigation } from 'react-router'
import type { AccountUser } from '../../../adapters/accounts/port.ts'
import { Button } from '../../../ui/button.tsx'
import { useFormDraft } from '../../../ui/form-draft.ts'
import { Tag } from '../../../ui/tag.tsx'
import { useLatest, useSavedToast } from '../browser/use-saved-toast.ts'
import type { AccountResult } from '../components/account-form.tsx'
import { AccountForm } from '../components/account-form.tsx'
import { useAuth } from '../components/auth-context.tsx'
import { HostedForm } from '../components/hosted-sign-in.tsx'
import { PhotoForm } from '../components/photo-form.tsx'
import { type ProofAsked, proofFields } from '../components/proof-fields.tsx'
import { SettingsSection } from '../components/settings-section.tsx'
import { changeEmailSchema, changeHostedEmailSchema, profileSchema } from '../schema.ts'

/** The response to one of this screen's forms: a message on success, a result on refusal. */
export type ProfileAnswer = {
  intent: 'profile' | 'email' | 'verification' | 'photo'
  ok: boolean
  message: string | null
  result: AccountResult
}

/** My Profile: the photo, name and phone, and the email address. */
export function MyProfileScreen({
  loaderData: { user, proofAsked },
  actionData,
}: {
  loaderData: { user: AccountUser; proofAsked: ProofAsked }
  actionData: ProfileAnswer | undefined
}) {
  const { refresh } = useAuth()
  const savedProfile = actionData?.ok && actionData.intent === 'profile' ? actionData : null
  useSavedToast(savedProfile ?? undefined)
  const profile = useFormDraft(`profile-${user.uid}`, savedProfile)
  useEffect(() => {
    if (actionData?.ok) void refresh()
  }, [actionData, refresh])
  return (
    <>
      <h1 className="mb-8 text-3xl md:text-4xl">My Profile</h1>
      <SettingsSection
        title="Photo"
        text="Only you see it, here and in the menu. If your business is registered, the menu shows its logo."
      >
        <PhotoForm
          name={user.displayName ?? user.email}
          url={user.photoUrl}
          // Without script the page itself is the response.
          refusal={actionData?.ok === false ? messageOf(actionData, 'photo') : null}
          onChanged={refresh}
        />
      </SettingsSection>
      <SettingsSection title="Name and phone" text="We fill them in for you when you book.">
        <AccountForm
          intent="profile"
          formRef={profile}
          variant="primary"
          schema={profileSchema}
          lastResult={resultOf(actionData, 'profile')}
          submitLabel="Save"
          pendingLabel="Saving..."
          fields={[
            {
              name: 'displayName',
              label: 'Your name',
              type: 'text',
              autoComplete: 'name',
              defaultValue: user.displayName ?? '',
            },
            {
              name: 'phone',
              label: 'Phone',
              type: 'tel',
              autoComplete: 'tel',
              optional: true,
              defaultValue: user.phoneNumber ?? '',
            },
          ]}
        />
      </SettingsSection>
      <EmailSection user={user} proofAsked={proofAsked} answer={actionData} />
    </>
  )
}

/** The address, its confirmation, and the form that changes it. */
function EmailSection({
  user,
  proofAsked,
  answer,
}: {
  user: AccountUser
  proofAsked: ProofAsked
  answer: ProfileAnswer | undefined
}) {
  const navigation = useNavigation()
  const sent = useLatest(messageOf(answer, 'email'))
  const proof = proofFields(proofAsked, resultOf(answer, 'email'))
  return (
    <SettingsSection
      title="Email"
      text="You log in with it. To change it, follow the link that we send to the new address."
    >
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 font-medium">
        <span className="[overflow-wrap:anywhere]">{user.email}</span>
        {user.emailVerified ? <Tag tone="success">Confirmed</Tag> : <Tag tone="glow">Not confirmed yet</Tag>}
      </p>
      {user.emailVerified ? null : (
        <HostedForm step="resend-verification" method="post" preventScrollReset className="mt-3">
          <p className="mb-3 text-quiet text-sm">
            Confirm it with the link that we sent. Bookings you made with it as a guest then appear under My
            Bookings.
          </p>
          <Button
            type="submit"
            name="intent"
            value="verification"
            size="small"
            pending={navigation.formData?.get('intent') === 'verification'}
          >
            Send the link again
          </Button>
        </HostedForm>
      )}
      <p role="status" className={messageOf(answer, 'verification') ? 'mt-3 text-sm' : undefined}>
        {messageOf(answer, 'verification')}
      </p>
      <details className="mt-4" open={answer?.intent === 'email' && !answer.ok ? true : undefined}>
        <summary className="link w-fit cursor-pointer py-2">Change my email</summary>
        <div className="mt-4">
          <AccountForm
            key={sent}
            intent="email"
            variant="secondary"
            schema={proofAsked ? changeEmailSchema : changeHostedEmailSchema}
            lastResult={resultOf(answer, 'email')}
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
        </div>
      </details>
      <p role="status" className={messageOf(answer, 'email') ? 'mt-4' : undefined}>
        {messageOf(answer, 'email')}
      </p>
    </SettingsSection>
  )
}

const resultOf = (answer: ProfileAnswer | undefined, intent: ProfileAnswer['intent']) =>
  answer?.intent === intent ? answer.result : undefined

const messageOf = (answer: ProfileAnswer | undefined, intent: ProfileAnswer['intent']) =>
  answer?.intent === intent ? answer.message : null
