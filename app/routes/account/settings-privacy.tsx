import { data, href, redirect, useRouteLoaderData } from 'react-router'
import {
  chooseMails,
  mayWrite,
  signedInHeaders,
  signedOutHeaders,
  submitAccountForm,
} from '../../features/accounts/commands.server.ts'
import { PASSKEY_INTENTS } from '../../features/accounts/components/passkey-section.tsx'
import { TWO_STEP_INTENTS } from '../../features/accounts/components/two-step-section.tsx'
import { CURRENT_PASSWORD_WRONG, TOO_MANY_WRITES_TEXT } from '../../features/accounts/messages.ts'
import { findMailPreferences } from '../../features/accounts/queries.server.ts'
import { deviceName, isHandheld } from '../../features/accounts/rules.ts'
import {
  changePasswordSchema,
  codeSchema,
  endSessionSchema,
  mailsSchema,
  proofSchema,
  removePasskeySchema,
  renamePasskeySchema,
} from '../../features/accounts/schema.ts'
import { endOwnAlert } from '../../features/alerts/commands.server.ts'
import { ENDED_TEXT } from '../../features/alerts/messages.ts'
import { listOwnAlerts } from '../../features/alerts/queries.server.ts'
import { endAlertSchema } from '../../features/alerts/schema.ts'
import { PUSH_INTENTS, pushOffSchema, pushOnSchema } from '../../features/notifications/schema.ts'
import { chooseNewsletter } from '../../features/privacy/commands.server.ts'
import { isSubscribed } from '../../features/privacy/queries.server.ts'
import { type SettingsAnswer, SettingsScreen } from '../../features/privacy/screens/settings-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import type { loader as rootLoader } from '../../root.tsx'
import { agoText } from '../../shared/ago.ts'
import { brokenForm } from '../../shared/body-refusals.ts'
import { intentSchema, readForm } from '../../shared/form.ts'
import { newId } from '../../shared/ids.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { findFactorProof, findProofAsked } from '../ask-again.server.ts'
import { requireSession, signInPath } from '../require-session.server.ts'
import type { Route } from './+types/settings-privacy'
import { findDocuments } from './documents.server.ts'
import { changePasskey } from './passkeys.server.ts'
import { changePush, findPush } from './push.server.ts'
import { changeTwoStep } from './two-step.server.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Settings & Privacy', matches[0]?.loaderData)

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { accounts, config, db, now } = context.get(servicesContext)
  const session = await requireSession({ request, url, context })
  const asked = { userId: session.user.uid, sessionId: session.id }
  const [sessions, twoStep, passkeys, preferences, newsletter, push, proofAsked, documents, alerts] =
    await Promise.all([
      accounts.listSessions(request),
      accounts.secondFactor?.findState(request) ?? null,
      accounts.passkeys?.list(request) ?? null,
      findMailPreferences(db, { userId: session.user.uid }),
      // Only the holder of an address may see and end its newsletter: this account must have confirmed it.
      session.user.emailVerified ? isSubscribed(db, session.user.email) : null,
      findPush(context.get(servicesContext), asked),
      findProofAsked({ request, context }, { needsFactor: true }),
      findDocuments(db, { userId: session.user.uid, now: now() }),
      listOwnAlerts(db, ownerOf(session.user), now()),
    ])
  if (!preferences) throw redirect(signInPath(url))
  return {
    email: session.user.email,
    brand: config.brand,
    policy: config.passwordPolicy,
    isForOperations: url.searchParams.has('operations'),
    preferences,
    ...documents,
    newsletter,
    alerts,
    push,
    twoStep,
    proofAsked,
    passkeys:
      passkeys?.map(({ id, name, createdAt, lastUsedAt }) => ({
        id,
        name,
        added: agoText(new Date(createdAt), now()),
        lastUsed: lastUsedAt && agoText(new Date(lastUsedAt), now()),
      })) ?? null,
    sessions: sessions.map(({ id, current, userAgent, lastUsedAt }) => ({
      id,
      current,
      device: deviceName(userAgent),
      handheld: isHandheld(userAgent),
      lastUsed: agoText(new Date(lastUsedAt), now()),
    })),
  }
}

/** Only the holder of an address sees and ends its searches: this account must have confirmed it. */
const ownerOf = ({ uid, email, emailVerified }: { uid: string; email: string; emailVerified: boolean }) => ({
  userId: uid,
  verifiedEmail: emailVerified ? email : null,
})

const NOTHING_DONE: SettingsAnswer = {
  message: null,
  result: undefined,
  stamp: null,
  mailProblem: null,
  twoStep: null,
  passkey: null,
  pushProblem: null,
}

const done = (message: string, headers?: Headers) =>
  data({ ...NOTHING_DONE, message, stamp: newId(8) }, headers ? { headers } : {})

export async function action({ request, context, url }: Route.ActionArgs) {
  const { accounts, config, db, jobs, now, rateLimits } = context.get(servicesContext)
  const session = await requireSession({ request, url, context })
  const { uid, email, emailVerified } = session.user
  const newPassword = changePasswordSchema(config.passwordPolicy)
  const form = await readForm(request, [
    intentSchema,
    newPassword,
    endSessionSchema,
    mailsSchema,
    proofSchema,
    codeSchema,
    renamePasskeySchema,
    removePasskeySchema,
    pushOnSchema,
    pushOffSchema,
    endAlertSchema,
  ])
  const twoStep = TWO_STEP_INTENTS.find((intent) => intent === form.get('intent'))
  if (twoStep && accounts.secondFactor) {
    const { status, message, answer } = await changeTwoStep(accounts.secondFactor, request, {
      form,
      intent: twoStep,
      issuer: config.brand,
      proof: await findFactorProof({ request, context }),
    })
    const stamp = message ? newId(8) : null
    return data({ ...NOTHING_DONE, message, stamp, twoStep: answer }, { status })
  }
  const ofPasskey = PASSKEY_INTENTS.find((intent) => intent === form.get('intent'))
  if (ofPasskey && accounts.passkeys) {
    const { status, message, answer } = await changePasskey(accounts.passkeys, request, {
      form,
      intent: ofPasskey,
      proof: await findFactorProof({ request, context }),
    })
    return data({ ...NOTHING_DONE, message, passkey: answer }, { status })
  }
  const ofPush = PUSH_INTENTS.find((intent) => intent === form.get('intent'))
  if (ofPush) {
    const about = { form, intent: ofPush, userId: uid, sessionId: session.id }
    const { status, message, problem } = await changePush(context.get(servicesContext), request, about)
    return data({ ...NOTHING_DONE, message, pushProblem: problem }, { status })
  }
  switch (form.get('intent')) {
    case 'password': {
      const outcome = await submitAccountForm({
        form,
        schema: newPassword,
        ask: (fields) => accounts.changePassword(request, fields),
        newPassword: 'newPassword',
        onField: { 'wrong-password': { field: 'currentPassword', message: CURRENT_PASSWORD_WRONG } },
      })
      if (!outcome.ok) {
        return data({ ...NOTHING_DONE, result: outcome.result }, { status: outcome.status })
      }
      const headers = signedInHeaders(outcome.answer.cookies, config.publicUrl)
      // Without a script the page would be rendered in this request, whose session has just ended.
      if (request.headers.get('accept')?.includes('text/html'))
        return redirect(href('/settings-privacy'), { headers })
      return done('Your password is changed. You are logged out everywhere else.', headers)
    }
    case 'session': {
      const answer = await accounts.endSession(request, { id: String(form.get('session') ?? '') })
      if (!answer.ok) throw redirect(signInPath(url))
      return done('Logged out there.')
    }
    case 'all-sessions': {
      const answer = await accounts.endAllSessions(request)
      if (!answer.ok) throw redirect(signInPath(url))
      return redirect(`${href('/account-closed')}?how=signed-out`, {
        headers: signedOutHeaders(answer.cookies, config.publicUrl),
      })
    }
    case 'mails': {
      if (!(await mayWrite(rateLimits, uid)))
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
    case 'end-alert': {
      const parsed = endAlertSchema.safeParse(Object.fromEntries(form))
      if (!parsed.success) throw brokenForm()
      // An alert that has just ended is no failure, and another person's stays.
      await endOwnAlert({ db }, ownerOf(session.user), parsed.data.alert)
      return done(ENDED_TEXT)
    }
    default:
      throw brokenForm()
  }
}

export default function SettingsPrivacy({ loaderData, actionData }: Route.ComponentProps) {
  const site = useRouteLoaderData<typeof rootLoader>('root')
  return (
    <SettingsScreen loaderData={loaderData} actionData={actionData} hasAnalytics={Boolean(site?.analytics)} />
  )
}
