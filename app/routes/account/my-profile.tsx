import { parseWithZod } from '@conform-to/zod/v4'
import { useEffect } from 'react'
import { data, useNavigation } from 'react-router'
import { z } from 'zod'
import { useLatest, useSavedToast } from '../../features/accounts/browser/use-saved-toast.ts'
import {
  changePhoto,
  mayWrite,
  removePhoto,
  submitAccountForm,
  updateProfile,
} from '../../features/accounts/commands.server.ts'
import { AccountForm } from '../../features/accounts/components/account-form.tsx'
import { useAuth } from '../../features/accounts/components/auth-context.tsx'
import { HostedForm } from '../../features/accounts/components/hosted-sign-in.tsx'
import { PhotoForm } from '../../features/accounts/components/photo-form.tsx'
import { SettingsSection } from '../../features/accounts/components/settings-section.tsx'
import { changeEmailSchema, profileSchema } from '../../features/accounts/schema.ts'
import {
  accountWording,
  CURRENT_PASSWORD_WRONG,
  EMAIL_TAKEN,
  emailChangeSent,
  PHOTO_REFUSALS,
  SAME_EMAIL,
  TOO_MANY_WRITES_TEXT,
} from '../../features/accounts/wording.ts'
import { mayUpload } from '../../features/files/commands.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { brokenForm } from '../../shared/body-refusals.ts'
import { intentSchema, readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { Button } from '../../ui/button.tsx'
import { useFormDraft } from '../../ui/form-draft.ts'
import { Tag } from '../../ui/tag.tsx'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/my-profile'

export const meta: Route.MetaFunction = ({ matches }) => privateMeta('My Profile', matches[0]?.loaderData)

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const session = await requireSession({ request, url, context })
  return session.user
}

type Intent = 'profile' | 'email' | 'verification' | 'photo'
type Result = Parameters<typeof AccountForm>[0]['lastResult']

/** What every form of this screen is answered with: a message when it is done, a result when it is not. */
const done = (intent: Intent, message: string) =>
  data({ intent, ok: true, message, result: undefined as Result })
const refused = (intent: Intent, status: number, answer: { message?: string; result?: Result }) =>
  data({ intent, ok: false, message: answer.message ?? null, result: answer.result }, { status })

const PHOTO_STATUSES: Partial<Record<keyof typeof PHOTO_REFUSALS, number>> = {
  too_many_at_once: 429,
  overrun: 503,
}

const photoSchema = z.object({ photo: z.instanceof(File) })

export async function action({ request, context, url }: Route.ActionArgs) {
  const { accounts, db, files, now, rateLimits } = context.get(servicesContext)
  const session = await requireSession({ request, url, context })
  const { uid, email } = session.user
  // Only the photo's form is sent so: over the limit its bytes are not even read.
  const isUpload = request.headers.get('content-type')?.startsWith('multipart/form-data')
  if (isUpload && !(await mayUpload(rateLimits, uid)))
    return refused('photo', 429, { message: PHOTO_REFUSALS.too_often })
  const form = await readForm(request, [intentSchema, profileSchema, changeEmailSchema, photoSchema])
  switch (form.get('intent')) {
    case 'profile': {
      const submission = parseWithZod(form, { schema: profileSchema })
      if (submission.status !== 'success') return refused('profile', 400, { result: submission.reply() })
      if (!(await mayWrite(rateLimits, uid)))
        return refused('profile', 429, { result: submission.reply({ formErrors: [TOO_MANY_WRITES_TEXT] }) })
      const { displayName, phone = null } = submission.value
      await updateProfile({ db, now }, { userId: uid, displayName, phone })
      return done('profile', 'Your profile is saved.')
    }
    case 'email': {
      const outcome = await submitAccountForm({
        form,
        schema: changeEmailSchema.refine((fields) => fields.email !== email.toLowerCase(), {
          path: ['email'],
          error: SAME_EMAIL,
        }),
        ask: (fields) => accounts.requestEmailChange(request, fields),
        onField: {
          'wrong-password': { field: 'password', message: CURRENT_PASSWORD_WRONG },
          'email-already-in-use': { field: 'email', message: EMAIL_TAKEN },
        },
      })
      if (!outcome.ok) return refused('email', outcome.status, { result: outcome.result })
      return done('email', emailChangeSent(String(form.get('email')).trim()))
    }
    case 'verification': {
      const answer = await accounts.resendVerification(request)
      if (!answer.ok) return refused('verification', 429, { message: accountWording[answer.reason] })
      return done('verification', `A new link is on its way to ${email}.`)
    }
    case 'photo': {
      const photo = form.get('photo')
      if (!(photo instanceof File)) return refused('photo', 400, { message: PHOTO_REFUSALS.not_an_image })
      const kept = await changePhoto(
        { db, files, now },
        { userId: uid, bytes: new Uint8Array(await photo.arrayBuffer()) },
      )
      return kept.ok
        ? done('photo', 'Your photo is saved.')
        : refused('photo', PHOTO_STATUSES[kept.reason] ?? 400, { message: PHOTO_REFUSALS[kept.reason] })
    }
    case 'remove-photo':
      await removePhoto({ db, files, now }, uid)
      return done('photo', 'Your photo is removed.')
    default:
      throw brokenForm()
  }
}

export default function MyProfile({ loaderData: user, actionData }: Route.ComponentProps) {
  const { refresh } = useAuth()
  const navigation = useNavigation()
  const savedProfile = actionData?.ok && actionData.intent === 'profile' ? actionData : null
  useSavedToast(savedProfile ?? undefined)
  const profile = useFormDraft(`profile-${user.uid}`, savedProfile)
  useEffect(() => {
    if (actionData?.ok) void refresh()
  }, [actionData, refresh])
  const resultOf = (intent: Intent) => (actionData?.intent === intent ? actionData.result : undefined)
  const messageOf = (intent: Intent) => (actionData?.intent === intent ? actionData.message : null)
  const sent = useLatest(messageOf('email'))
  return (
    <>
      <h1 className="mb-8 text-3xl md:text-4xl">My Profile</h1>
      <SettingsSection
        title="Photo"
        text="Shown to you here and in the menu. A registered business shows its logo there."
      >
        <PhotoForm
          name={user.displayName ?? user.email}
          url={user.photoUrl}
          // Without script the page itself is the answer.
          refusal={actionData?.ok === false ? messageOf('photo') : null}
          onChanged={refresh}
        />
      </SettingsSection>
      <SettingsSection title="Name and phone" text="We fill them in for you when you book.">
        <AccountForm
          intent="profile"
          formRef={profile}
          variant="primary"
          schema={profileSchema}
          lastResult={resultOf('profile')}
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
      <SettingsSection
        title="E-mail"
        text="You log in with it. A new one counts once you have followed the link that we send to it."
      >
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 font-medium">
          <span className="[overflow-wrap:anywhere]">{user.email}</span>
          {user.emailVerified ? (
            <Tag tone="success">Confirmed</Tag>
          ) : (
            <Tag tone="glow">Not confirmed yet</Tag>
          )}
        </p>
        {user.emailVerified ? null : (
          <HostedForm step="resend-verification" method="post" preventScrollReset className="mt-3">
            <p className="mb-3 text-quiet text-sm">
              Confirm it by the link in our mail, and bookings you made with it as a guest appear under My
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
        <p role="status" className={messageOf('verification') ? 'mt-3 text-sm' : undefined}>
          {messageOf('verification')}
        </p>
        <details className="mt-4" open={actionData?.intent === 'email' && !actionData.ok ? true : undefined}>
          <summary className="link w-fit cursor-pointer py-2">Change my e-mail</summary>
          <div className="mt-4">
            <AccountForm
              key={sent}
              intent="email"
              variant="secondary"
              schema={changeEmailSchema}
              lastResult={resultOf('email')}
              step="change-email"
              submitLabel="Send the link"
              pendingLabel="Sending..."
              fields={[
                { name: 'email', label: 'New e-mail', type: 'email', autoComplete: 'email' },
                {
                  name: 'password',
                  label: 'Your password',
                  type: 'password',
                  autoComplete: 'current-password',
                },
              ]}
            />
          </div>
        </details>
        <p role="status" className={messageOf('email') ? 'mt-4' : undefined}>
          {messageOf('email')}
        </p>
      </SettingsSection>
    </>
  )
}
