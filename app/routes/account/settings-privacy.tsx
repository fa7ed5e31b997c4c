import { data, Form, href, redirect, useNavigation, useRouteLoaderData } from 'react-router'
import { z } from 'zod'
import { useLatest, useSavedToast } from '../../features/accounts/browser/use-saved-toast.ts'
import {
  chooseMails,
  mayWrite,
  signedInHeaders,
  signedOutHeaders,
  submitAccountForm,
} from '../../features/accounts/commands.server.ts'
import { AccountForm } from '../../features/accounts/components/account-form.tsx'
import { MailForm } from '../../features/accounts/components/mail-form.tsx'
import { SessionList } from '../../features/accounts/components/session-list.tsx'
import { SettingsSection } from '../../features/accounts/components/settings-section.tsx'
import { findMailPreferences } from '../../features/accounts/queries.server.ts'
import { deviceName, isHandheld } from '../../features/accounts/rules.ts'
import { changePasswordSchema } from '../../features/accounts/schema.ts'
import { CURRENT_PASSWORD_WRONG, TOO_MANY_WRITES_TEXT } from '../../features/accounts/wording.ts'
import { chooseNewsletter } from '../../features/privacy/commands.server.ts'
import { AnalyticsChoice } from '../../features/privacy/components/analytics-consent.tsx'
import { isSubscribed } from '../../features/privacy/queries.server.ts'
import { CONSENT_TEXTS } from '../../features/privacy/wording.ts'
import { servicesContext } from '../../request-context.server.ts'
import type { loader as rootLoader } from '../../root.tsx'
import { agoText } from '../../shared/ago.ts'
import { brokenForm } from '../../shared/body-refusals.ts'
import { intentSchema, readForm } from '../../shared/form.ts'
import { newId } from '../../shared/ids.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { Button, ButtonLink, buttonClass } from '../../ui/button.tsx'
import { SendFailure } from '../../ui/send-failure.tsx'
import { requireSession, signInPath } from '../require-session.server.ts'
import type { Route } from './+types/settings-privacy'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Settings & Privacy', matches[0]?.loaderData)

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { accounts, config, db, now } = context.get(servicesContext)
  const session = await requireSession({ request, url, context })
  const [sessions, preferences, newsletter] = await Promise.all([
    accounts.listSessions(request),
    findMailPreferences(db, { userId: session.user.uid }),
    // The letter of an address is for its holder to see and to end: this account has to have confirmed it.
    session.user.emailVerified ? isSubscribed(db, session.user.email) : null,
  ])
  if (!preferences) throw redirect(signInPath(url))
  return {
    email: session.user.email,
    brand: config.brand,
    policy: config.passwordPolicy,
    preferences,
    newsletter,
    sessions: sessions.map(({ id, current, userAgent, lastUsedAt }) => ({
      id,
      current,
      device: deviceName(userAgent),
      handheld: isHandheld(userAgent),
      lastUsed: agoText(new Date(lastUsedAt), now()),
    })),
  }
}

type Result = Parameters<typeof AccountForm>[0]['lastResult']

type Answer = { message: string | null; result: Result; stamp: string | null; mailProblem: string | null }
const NOTHING_DONE: Answer = { message: null, result: undefined, stamp: null, mailProblem: null }

// The stamp makes a form that was sent start anew, without what was typed.
const done = (message: string, headers?: Headers) =>
  data({ ...NOTHING_DONE, message, stamp: newId(8) }, headers ? { headers } : {})

const endSessionSchema = z.object({ session: z.string() })

/** Ticked boxes alone are sent. */
const mailsSchema = z.object({
  signIns: z.string(),
  newBookings: z.string(),
  reminders: z.string(),
  reviews: z.string(),
  newsletter: z.string(),
})

export async function action({ request, context, url }: Route.ActionArgs) {
  const services = context.get(servicesContext)
  const { accounts, config, db, jobs, now } = services
  const session = await requireSession({ request, url, context })
  const { uid, email, emailVerified } = session.user
  const newPassword = changePasswordSchema(config.passwordPolicy)
  const form = await readForm(request, [intentSchema, newPassword, endSessionSchema, mailsSchema])
  switch (form.get('intent')) {
    case 'password': {
      const outcome = await submitAccountForm({
        form,
        schema: newPassword,
        ask: (fields) => accounts.changePassword(request, fields),
        onField: { 'wrong-password': { field: 'currentPassword', message: CURRENT_PASSWORD_WRONG } },
      })
      if (!outcome.ok) {
        return data({ ...NOTHING_DONE, result: outcome.result }, { status: outcome.status })
      }
      return done(
        'Your password is changed. You are signed out everywhere else.',
        signedInHeaders(outcome.answer.cookies, config.publicUrl),
      )
    }
    case 'session': {
      const answer = await accounts.endSession(request, { id: String(form.get('session') ?? '') })
      if (!answer.ok) throw redirect(signInPath(url))
      return done('Signed out there.')
    }
    case 'all-sessions': {
      const answer = await accounts.endAllSessions(request)
      if (!answer.ok) throw redirect(signInPath(url))
      return redirect(`${href('/account-closed')}?how=signed-out`, {
        headers: signedOutHeaders(answer.cookies, config.publicUrl),
      })
    }
    case 'mails': {
      if (!(await mayWrite(services.rateLimits, uid)))
        return data({ ...NOTHING_DONE, mailProblem: TOO_MANY_WRITES_TEXT }, { status: 429 })
      await chooseMails(db, uid, {
        signIns: form.has('signIns'),
        newBookings: form.has('newBookings'),
        reminders: form.has('reminders'),
        reviews: form.has('reviews'),
      })
      if (emailVerified)
        await chooseNewsletter({ db, jobs, now, ...config }, { email, wanted: form.has('newsletter') })
      return done('Your choice is saved.')
    }
    default:
      throw brokenForm()
  }
}

export default function SettingsPrivacy({ loaderData, actionData }: Route.ComponentProps) {
  const { email, brand, policy, preferences, newsletter, sessions } = loaderData
  const navigation = useNavigation()
  const site = useRouteLoaderData<typeof rootLoader>('root')
  useSavedToast(actionData)
  const saved = useLatest(actionData?.stamp)
  return (
    <>
      <h1 className="mb-8 text-3xl md:text-4xl">Settings &amp; Privacy</h1>
      <SettingsSection title="Password" text="Changing it signs you out everywhere else.">
        <AccountForm
          key={saved}
          intent="password"
          variant="secondary"
          schema={changePasswordSchema(policy)}
          lastResult={actionData?.result}
          step="change-password"
          submitLabel="Change the password"
          pendingLabel="Changing..."
          fields={[
            {
              name: 'currentPassword',
              label: 'Current password',
              type: 'password',
              autoComplete: 'current-password',
            },
            {
              name: 'newPassword',
              label: 'New password',
              type: 'password',
              autoComplete: 'new-password',
              policy,
            },
          ]}
        />
      </SettingsSection>
      <SettingsSection
        title="Where you are signed in"
        text="Not one of yours? Sign it out and change your password."
      >
        <SessionList sessions={sessions} />
        <Form method="post" className="mt-5">
          <Button
            type="submit"
            name="intent"
            value="all-sessions"
            pending={navigation.formData?.get('intent') === 'all-sessions'}
            pendingText="Signing out..."
          >
            Sign out everywhere
          </Button>
          <p className="mt-2 text-quiet text-sm">This browser, too.</p>
          <SendFailure />
        </Form>
      </SettingsSection>
      <SettingsSection
        title="Mail"
        text={`To ${email}. Mails about your own bookings and your account’s safety always come.`}
      >
        <MailForm
          preferences={preferences}
          newsletter={newsletter}
          brand={brand}
          problem={actionData?.mailProblem ?? null}
        />
      </SettingsSection>
      {site?.analytics ? (
        <SettingsSection title={CONSENT_TEXTS.title} text="A choice of this browser alone.">
          <AnalyticsChoice />
        </SettingsSection>
      ) : null}
      <SettingsSection
        title="Your data"
        text="Everything we keep about you, in a file that other programs can read (JSON)."
      >
        <a className={buttonClass()} href={href('/settings-privacy/my-data.json')} download>
          Download my data
        </a>
      </SettingsSection>
      <SettingsSection
        title="Leaving"
        text="Deactivating is a pause: you can come back by logging in. Deleting is for good."
      >
        <div className="flex flex-wrap gap-3">
          <ButtonLink to={href('/confirm-deactivation')}>Deactivate my account</ButtonLink>
          <ButtonLink to={href('/confirm-deletion')} variant="danger">
            Delete my account
          </ButtonLink>
        </div>
      </SettingsSection>
    </>
  )
}
