import { parseWithZod } from '@conform-to/zod/v4'
import { data } from 'react-router'
import { changePhoto, mayWrite, removePhoto, updateProfile } from '../../features/accounts/commands.server.ts'
import {
  accountWording,
  emailChangeSent,
  PHOTO_REFUSALS,
  TOO_MANY_WRITES_TEXT,
} from '../../features/accounts/messages.ts'
import { photoSchema, profileSchema } from '../../features/accounts/schema.ts'
import { MyProfileScreen, type ProfileAnswer } from '../../features/accounts/screens/my-profile-screen.tsx'
import { mayUpload } from '../../features/files/commands.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { brokenForm } from '../../shared/body-refusals.ts'
import { intentSchema, readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { findProofAsked } from '../ask-again.server.ts'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/my-profile'
import { changeEmail, EMAIL_CHANGE_SCHEMAS } from './change-email.server.ts'

export const meta: Route.MetaFunction = ({ matches }) => privateMeta('My Profile', matches[0]?.loaderData)

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const session = await requireSession({ request, url, context })
  return { user: session.user, proofAsked: await findProofAsked({ request, context }) }
}

const done = (intent: ProfileAnswer['intent'], message: string) =>
  data<ProfileAnswer>({ intent, ok: true, message, result: undefined })
const refused = (
  intent: ProfileAnswer['intent'],
  status: number,
  answer: Partial<Pick<ProfileAnswer, 'message' | 'result'>>,
) =>
  data<ProfileAnswer>(
    { intent, ok: false, message: answer.message ?? null, result: answer.result },
    { status },
  )

const PHOTO_STATUSES: Partial<Record<keyof typeof PHOTO_REFUSALS, number>> = {
  too_many_today: 429,
  too_many_at_once: 429,
  overrun: 503,
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { accounts, db, files, jobs, now, rateLimits } = context.get(servicesContext)
  const session = await requireSession({ request, url, context })
  const { uid, email } = session.user
  // Only the photo's form is multipart: over the limit, its bytes are not even read.
  const isUpload = request.headers.get('content-type')?.startsWith('multipart/form-data')
  if (isUpload && !(await mayUpload(rateLimits, uid)))
    return refused('photo', 429, { message: PHOTO_REFUSALS.too_often })
  const form = await readForm(request, [intentSchema, profileSchema, ...EMAIL_CHANGE_SCHEMAS, photoSchema])
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
      const outcome = await changeEmail({ request, context }, form, email)
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
        { db, files, jobs, now, rateLimits },
        { userId: uid, bytes: new Uint8Array(await photo.arrayBuffer()) },
      )
      return kept.ok
        ? done('photo', 'Your photo is saved.')
        : refused('photo', PHOTO_STATUSES[kept.reason] ?? 400, { message: PHOTO_REFUSALS[kept.reason] })
    }
    case 'remove-photo':
      await removePhoto({ db, jobs, now }, uid)
      return done('photo', 'Your photo is removed.')
    default:
      throw brokenForm()
  }
}

export default function MyProfile({ loaderData, actionData }: Route.ComponentProps) {
  return <MyProfileScreen loaderData={loaderData} actionData={actionData} />
}
