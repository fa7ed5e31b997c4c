import { Form, href, Link, useNavigation } from 'react-router'
import type { SecondFactorState } from '../../../adapters/accounts/port.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink, buttonClass } from '../../../ui/button.tsx'
import { HelpLink } from '../../../ui/help-link.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { useLatest, useSavedToast } from '../../accounts/browser/use-saved-toast.ts'
import type { AccountResult } from '../../accounts/components/account-form.tsx'
import { AccountForm } from '../../accounts/components/account-form.tsx'
import { MailForm } from '../../accounts/components/mail-form.tsx'
import {
  type PasskeyAnswer,
  PasskeySection,
  type PasskeyView,
} from '../../accounts/components/passkey-section.tsx'
import type { ProofAsked } from '../../accounts/components/proof-fields.tsx'
import type { SessionView } from '../../accounts/components/session-list.tsx'
import { SessionList } from '../../accounts/components/session-list.tsx'
import { SettingsSection } from '../../accounts/components/settings-section.tsx'
import { type TwoStepAnswer, TwoStepSection } from '../../accounts/components/two-step-section.tsx'
import type { MailPreferences, PasswordPolicy } from '../../accounts/rules.ts'
import { changePasswordSchema } from '../../accounts/schema.ts'
import { ACTIVITY_TITLE } from '../../accounts/security-messages.ts'
import { AlertList } from '../../alerts/components/alert-list.tsx'
import { ALERTS_TEXT, ALERTS_TITLE, NO_ALERTS_TEXT } from '../../alerts/messages.ts'
import type { AlertView } from '../../alerts/queries.server.ts'
import { PushDevices, type PushView } from '../../notifications/components/push-devices.tsx'
import { PUSH_TEXT, PUSH_TITLE } from '../../notifications/push-messages.ts'
import { AnalyticsChoice } from '../components/analytics-consent.tsx'
import { InstallLine } from '../components/install-line.tsx'
import { CONSENT_TEXTS, DOCUMENTS_TEXT, DOCUMENTS_TITLE } from '../messages.ts'

/** The response to one of this screen's forms. */
export type SettingsAnswer = {
  message: string | null
  result: AccountResult
  /** Resets a form after it was sent, without what was typed. */
  stamp: string | null
  mailProblem: string | null
  twoStep: TwoStepAnswer | null
  passkey: PasskeyAnswer | null
  pushProblem: string | null
}

/** Everything that the screen shows of an account. */
type SettingsData = {
  email: string
  brand: string
  policy: PasswordPolicy
  preferences: MailPreferences
  /** Null while the email is unconfirmed. */
  newsletter: boolean | null
  /** The searches that tell by mail whom they find. */
  alerts: readonly AlertView[]
  sessions: readonly SessionView[]
  /** Whether an operator was led here for want of a second factor. */
  isForOperations: boolean
  /** Null where a hosted service asks for second factors itself. */
  twoStep: SecondFactorState | null
  /** Null where a hosted service signs people in. */
  passkeys: readonly PasskeyView[] | null
  /** Null for those who have no listing. */
  push: PushView | null
  proofAsked: ProofAsked
  /** That the privacy policy changes; null once it has. */
  policyNotice: string | null
  /** The documents that the account has accepted, newest first. */
  accepted: readonly { id: string; label: string; to: string | null; on: string }[]
}

/** Settings & Privacy: the password, sessions, mails, analytics, the account's data, and leaving. */
export function SettingsScreen({
  loaderData,
  actionData,
  hasAnalytics,
}: {
  loaderData: SettingsData
  actionData: SettingsAnswer | undefined
  /** Whether this site counts visits at all. */
  hasAnalytics: boolean
}) {
  const { email, brand, policy, preferences, newsletter, sessions, twoStep, passkeys, proofAsked } =
    loaderData
  useSavedToast(actionData)
  return (
    <>
      <div className="mb-8">
        <h1 className="text-3xl md:text-4xl">Settings &amp; Privacy</h1>
        <HelpLink article="keep-your-account-safe">How to keep your account safe</HelpLink>
      </div>
      {loaderData.isForOperations ? <SecondFactorNote /> : null}
      <PasswordSection email={email} policy={policy} answer={actionData} />
      {passkeys ? (
        <PasskeySection passkeys={passkeys} proofAsked={proofAsked} answer={actionData?.passkey ?? null} />
      ) : null}
      {twoStep ? (
        <TwoStepSection
          state={twoStep}
          proofAsked={proofAsked}
          answer={actionData?.twoStep ?? null}
          brand={brand}
        />
      ) : null}
      <SessionsSection sessions={sessions} />
      <ActivitySection hasSecondFactor={twoStep !== null} />
      <SettingsSection
        title="Emails"
        text={`To ${email}. You always get emails about your own bookings and your account’s security.`}
      >
        <MailForm
          preferences={preferences}
          newsletter={newsletter}
          brand={brand}
          problem={actionData?.mailProblem ?? null}
        />
      </SettingsSection>
      <SettingsSection id="saved-searches" title={ALERTS_TITLE} text={ALERTS_TEXT}>
        {loaderData.alerts.length > 0 ? (
          <AlertList alerts={loaderData.alerts} intent="end-alert" />
        ) : (
          <p className="text-quiet">{NO_ALERTS_TEXT}</p>
        )}
      </SettingsSection>
      {loaderData.push ? (
        <SettingsSection id="device-notifications" title={PUSH_TITLE} text={PUSH_TEXT}>
          <PushDevices push={loaderData.push} problem={actionData?.pushProblem ?? null} />
        </SettingsSection>
      ) : null}
      {hasAnalytics ? (
        <SettingsSection title={CONSENT_TEXTS.title} text="This choice applies to this browser only.">
          <AnalyticsChoice />
        </SettingsSection>
      ) : null}
      <DocumentsSection notice={loaderData.policyNotice} accepted={loaderData.accepted} />
      <DataSection />
      <LeavingSection />
      <InstallLine brand={brand} />
    </>
  )
}

/** The note for an operator who was led here for want of a second factor. */
function SecondFactorNote() {
  return (
    <div className="mb-8" role="status">
      <Banner title="Operations need a second step">
        Turn on two-step login below. If it is on, or you have a passkey, log out and log in with your code or
        passkey. Then open Operations again.
      </Banner>
    </div>
  )
}

/** The link to the account's recent activity. */
function ActivitySection({ hasSecondFactor }: { hasSecondFactor: boolean }) {
  return (
    <SettingsSection
      title={ACTIVITY_TITLE}
      text={
        hasSecondFactor
          ? 'Logins, wrong passwords and changes to your account.'
          : 'Logins and changes to your account.'
      }
    >
      <ButtonLink to={href('/settings-privacy/activity')}>See recent activity</ButtonLink>
    </SettingsSection>
  )
}

/** The documents that apply to the account, those that it has accepted, and a change that is coming. */
function DocumentsSection({
  notice,
  accepted,
}: {
  notice: string | null
  accepted: SettingsData['accepted']
}) {
  return (
    <SettingsSection id="documents" title={DOCUMENTS_TITLE} text={DOCUMENTS_TEXT}>
      <div className="grid justify-items-start gap-4">
        {notice ? <Banner>{notice}</Banner> : null}
        {accepted.length > 0 ? (
          <ul className="grid gap-1.5">
            {accepted.map(({ id, label, to, on }) => (
              <li key={id}>
                {to ? (
                  <Link className="link" to={to}>
                    {label}
                  </Link>
                ) : (
                  label
                )}{' '}
                <span className="figures text-quiet">{on}</span>
              </li>
            ))}
          </ul>
        ) : null}
        <ButtonLink to={href('/legal/:document', { document: 'privacy-policy' })}>
          Read the privacy policy
        </ButtonLink>
      </div>
    </SettingsSection>
  )
}

/** The download of everything that is stored about the account. */
function DataSection() {
  return (
    <SettingsSection
      title="Your data"
      text="Everything we store about you, in a file that other programs can open (JSON)."
    >
      <a className={buttonClass()} href={href('/settings-privacy/my-data.json')} download>
        Download my data
      </a>
    </SettingsSection>
  )
}

/** The links to deactivate and to delete the account. */
function LeavingSection() {
  return (
    <SettingsSection
      title="Leaving"
      text="Deactivate your account to take a break and come back by logging in. Deleting is permanent."
    >
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={href('/confirm-deactivation')}>Deactivate my account</ButtonLink>
        <ButtonLink to={href('/confirm-deletion')} variant="danger">
          Delete my account
        </ButtonLink>
      </div>
    </SettingsSection>
  )
}

/** The change of the password. */
function PasswordSection({
  email,
  policy,
  answer,
}: {
  email: string
  policy: PasswordPolicy
  answer: SettingsAnswer | undefined
}) {
  const saved = useLatest(answer?.stamp)
  return (
    <SettingsSection id="change-password" title="Password" text="Changing it logs you out everywhere else.">
      <AccountForm
        key={saved}
        intent="password"
        variant="secondary"
        schema={changePasswordSchema(policy)}
        lastResult={answer?.result}
        step="change-password"
        submitLabel="Change the password"
        pendingLabel="Changing..."
        username={email}
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
  )
}

/** The sessions of the account, and the button that ends them all. */
function SessionsSection({ sessions }: { sessions: readonly SessionView[] }) {
  const navigation = useNavigation()
  return (
    <SettingsSection
      title="Where you are logged in"
      text="Not one of yours? Log it out and change your password."
    >
      <SessionList sessions={sessions} />
      <Form method="post" className="mt-5">
        <Button
          type="submit"
          name="intent"
          value="all-sessions"
          pending={navigation.formData?.get('intent') === 'all-sessions'}
          pendingText="Logging out..."
        >
          Log out everywhere
        </Button>
        <p className="mt-2 text-quiet text-sm">This browser, too.</p>
        <SendFailure />
      </Form>
    </SettingsSection>
  )
}
