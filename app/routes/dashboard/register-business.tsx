import type { SubmissionResult } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { useRef, useState } from 'react'
import { data, href, useFetcher } from 'react-router'
import { mayWrite } from '../../features/accounts/commands.server.ts'
import type { UploadKind } from '../../features/files/rules.ts'
import { uploadFailedText, uploadRefusedText } from '../../features/files/wording.ts'
import { changeRegistration, registerBusiness } from '../../features/registrations/commands.server.ts'
import type { Logo } from '../../features/registrations/components/logo-picker.tsx'
import { RegistrationDetails } from '../../features/registrations/components/registration-details.tsx'
import { RegistrationForm } from '../../features/registrations/components/registration-form.tsx'
import { findOwnRegistration } from '../../features/registrations/queries.server.ts'
import { registrationSchema } from '../../features/registrations/schema.ts'
import {
  CHANGED_TOAST,
  FAILURE_REASONS,
  REGISTER_TITLE,
  REGISTERED_TOAST,
  REGISTRATION_TOAST_LIFE_MS,
  registrationFailedText,
} from '../../features/registrations/wording.ts'
import { servicesContext } from '../../request-context.server.ts'
import { wallTimeAt } from '../../shared/dates.ts'
import { intentSchema, readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { isConnectionFailure } from '../../ui/connection.ts'
import { sendForm } from '../../ui/send-form.ts'
import { useToast } from '../../ui/toast.tsx'
import { useAnswer } from '../../ui/use-answer.ts'
import { useLeaveWarning } from '../../ui/use-leave-warning.ts'
import { findSession, requireSession } from '../require-session.server.ts'
import type { Route } from './+types/register-business'

const LOGO_KIND: UploadKind = 'logo'
/** The first zone of the country to see a new day. */
const FIRST_ZONE = 'Australia/Sydney'

export const meta: Route.MetaFunction = ({ matches }) => privateMeta(REGISTER_TITLE, matches[0]?.loaderData)

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext)
  const session = await requireSession({ request, url, context })
  return {
    registration: await findOwnRegistration(db, session.user.uid),
    today: wallTimeAt(now(), FIRST_ZONE).date,
  }
}

type Refusal = keyof typeof FAILURE_REASONS

const STATUSES = {
  invalid_fields: 400,
  signed_out: 401,
  too_often: 429,
  already_registered: 409,
  not_found: 404,
  unknown_logo: 404,
  not_reached: 503,
  failed: 503,
} as const satisfies Record<Refusal, number>

/** Registers, or with `intent=change` changes what is registered; always for the signed-in user alone. */
export async function action({ request, context }: Route.ActionArgs) {
  const { db, files, now, rateLimits } = context.get(servicesContext)
  const session = await findSession({ request, context })
  if (!session) return refuse('signed_out')
  const schema = registrationSchema(wallTimeAt(now(), FIRST_ZONE).date)
  const form = await readForm(request, [schema, intentSchema])
  const submission = parseWithZod(form, { schema })
  if (submission.status !== 'success') return refuse('invalid_fields', submission.reply())
  if (!(await mayWrite(rateLimits, session.user.uid))) return refuse('too_often', submission.reply())
  const deps = { db, files, now }
  const isChange = form.get('intent') === 'change'
  const save = isChange ? changeRegistration : registerBusiness
  const outcome = await save(deps, session.user.uid, submission.value)
  return outcome.ok ? data({ ok: true as const, isChange }) : refuse(outcome.reason)
}

function refuse(reason: Refusal, result?: SubmissionResult) {
  return data({ ok: false as const, reason, result }, { status: STATUSES[reason] })
}

/** A lost connection or a failure on our side is told in words; what was typed stays. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction()
  } catch (error) {
    if (error instanceof Response) throw error
    return refuse(isConnectionFailure(error) ? 'not_reached' : 'failed')
  }
}

export default function RegisterBusiness({ loaderData: { registration, today } }: Route.ComponentProps) {
  const fetcher = useFetcher<typeof clientAction>()
  const toast = useToast()
  const [editing, setEditing] = useState(false)
  const [unsaved, setUnsaved] = useState(false)
  const [sendingLogo, setSendingLogo] = useState(false)
  // A logo that has arrived is not sent again when the rest fails.
  const sentLogo = useRef<{ file: File; url: string } | null>(null)
  const pending = sendingLogo || fetcher.state !== 'idle'

  useLeaveWarning(unsaved, {
    title: 'Leave without saving?',
    body: 'What you filled in will be gone.',
    confirmLabel: 'Leave',
    cancelLabel: 'Stay here',
  })

  const fail = (reason: string) =>
    toast({ type: 'error', text: registrationFailedText(reason), lifeMs: REGISTRATION_TOAST_LIFE_MS })
  useAnswer(fetcher, (answer) => {
    if (!answer.ok) return fail(FAILURE_REASONS[answer.reason])
    setUnsaved(false)
    setEditing(false)
    sentLogo.current = null
    // The button stood at the end of a long form; what is saved begins at the top.
    window.scrollTo({ top: 0 })
    toast({
      type: 'success',
      text: answer.isChange ? CHANGED_TOAST : REGISTERED_TOAST,
      lifeMs: REGISTRATION_TOAST_LIFE_MS,
    })
  })

  const submit = async (form: FormData, logo: Logo) => {
    const logoUrl = await logoAddress(logo)
    if (logoUrl === null) return
    form.set('logoUrl', logoUrl)
    if (registration) form.set('intent', 'change')
    await fetcher.submit(form, { method: 'post' })
  }

  /** Sends a chosen file first; null when it was refused, which has been said. */
  const logoAddress = async (logo: Logo): Promise<string | null> => {
    if (logo.kind === 'none') return ''
    if (logo.kind === 'stored') return logo.url
    if (sentLogo.current?.file === logo.file) return sentLogo.current.url
    const form = new FormData()
    form.set('kind', LOGO_KIND)
    form.set('file', logo.file)
    setSendingLogo(true)
    const sent = await sendForm(href('/api/upload'), form)
    setSendingLogo(false)
    const body = sent?.body as { ok?: boolean; image?: { url: string } } | null | undefined
    if (body?.ok && body.image) {
      sentLogo.current = { file: logo.file, url: body.image.url }
      return body.image.url
    }
    fail(`${uploadFailedText(logo.file.name)}. ${uploadRefusedText(sent)}`)
    return null
  }

  const showsForm = !registration || editing
  return (
    <div className="max-w-column">
      <h1 className="text-3xl md:text-4xl">{REGISTER_TITLE}</h1>
      {registration ? null : (
        <p className="mt-4 text-quiet">
          Once your ABN is registered, your listings carry the mark ‘ABN registered’ and customers get proper
          receipts.
        </p>
      )}
      <div className="mt-8">
        {showsForm ? (
          <RegistrationForm
            key={registration ? 'change' : 'new'}
            present={registration}
            today={today}
            lastResult={fetcher.data && !fetcher.data.ok ? fetcher.data.result : undefined}
            pending={pending}
            onTyped={() => setUnsaved(true)}
            onSubmit={(form, logo) => void submit(form, logo)}
            {...(registration
              ? {
                  onCancel: () => {
                    setUnsaved(false)
                    setEditing(false)
                  },
                }
              : {})}
          />
        ) : (
          <RegistrationDetails registration={registration} onEdit={() => setEditing(true)} />
        )}
      </div>
    </div>
  )
}
