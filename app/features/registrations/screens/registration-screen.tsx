import type { SubmissionResult } from '@conform-to/react'
import { useRef, useState } from 'react'
import { href, useFetcher, useRevalidator } from 'react-router'
import type { LocalDate } from '../../../shared/dates.ts'
import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { HelpLink } from '../../../ui/help-link.tsx'
import { sendForm } from '../../../ui/send-form.ts'
import { useToast } from '../../../ui/toast.tsx'
import { useAnswer } from '../../../ui/use-answer.ts'
import { useLeaveWarning } from '../../../ui/use-leave-warning.ts'
import { uploadFailedText, uploadRefusedText } from '../../files/messages.ts'
import type { UploadKind } from '../../files/rules.ts'
import type { Logo } from '../components/logo-picker.tsx'
import { RegistrationDetails } from '../components/registration-details.tsx'
import { RegistrationForm } from '../components/registration-form.tsx'
import {
  CHANGED_TOAST,
  FAILURE_REASONS,
  NEXT_LIST_IT,
  REGISTER_TITLE,
  REGISTERED_TEXT,
  REGISTERED_TOAST,
  registrationFailedText,
} from '../messages.ts'
import type { OwnStanding } from '../register-queries.server.ts'
import type { Registration } from '../schema.ts'

const LOGO_KIND: UploadKind = 'logo'

export type RegistrationRefusal = keyof typeof FAILURE_REASONS | 'changed_meanwhile'

/** The response to the form. */
export type RegistrationAnswer =
  | { ok: true; isChange: boolean }
  | {
      ok: false
      reason: RegistrationRefusal
      result: SubmissionResult | undefined
      /** The version that is saved now, with 'changed_meanwhile'. */
      version?: string | undefined
    }

/**
 * The form that registers a business; once it is saved, the registration (Specification, section 2).
 * @param props.registration null before registering
 * @param props.version of the registration
 * @param props.standing how it stands with the Australian Business Register
 * @param props.today the latest date of birth
 * @param props.hasListings whether the next step, to list something, is done
 */
export function RegistrationScreen({
  registration,
  version,
  standing,
  today,
  hasListings,
}: {
  registration: Registration | null
  version: string | null
  standing: OwnStanding | null
  today: LocalDate
  hasListings: boolean
}) {
  const [editing, setEditing] = useState(false)
  const [unsaved, setUnsaved] = useState(false)
  const [isNew, setNew] = useState(false)

  useLeaveWarning(unsaved, {
    title: 'Leave without saving?',
    body: 'What you filled in will be lost.',
    confirmLabel: 'Leave',
    cancelLabel: 'Stay here',
  })

  const endEditing = () => {
    setUnsaved(false)
    setEditing(false)
  }
  const { pending, lastResult, newerVersion, submit, forgetRefusal } = useSaving(
    registration !== null,
    (isChange) => {
      endEditing()
      setNew(!isChange)
    },
  )
  const cancel = () => {
    forgetRefusal()
    endEditing()
  }
  const { revalidate } = useRevalidator()
  const showSaved = async () => {
    await revalidate()
    cancel()
  }
  const showsForm = !registration || editing
  return (
    <div className="max-w-column">
      <h1 className="text-3xl md:text-4xl">{REGISTER_TITLE}</h1>
      {registration ? null : (
        <>
          <p className="mt-4 text-quiet">
            Once your ABN is registered, your listings show ‘ABN registered’ and customers get proper
            receipts.
          </p>
          <HelpLink article="register-your-business">Who sees your details</HelpLink>
        </>
      )}
      {registration && isNew && !hasListings && !standing?.problem ? <NextStep /> : null}
      <div className="mt-8">
        {showsForm ? (
          <RegistrationForm
            key={registration ? 'change' : 'new'}
            present={registration}
            version={version}
            newerVersion={newerVersion}
            today={today}
            lastResult={lastResult}
            pending={pending}
            onTyped={() => setUnsaved(true)}
            onSubmit={(form, logo) => void submit(form, logo)}
            onShowSaved={() => void showSaved()}
            {...(registration ? { onCancel: cancel } : {})}
          />
        ) : (
          <RegistrationDetails
            registration={registration}
            standing={standing}
            onEdit={() => setEditing(true)}
          />
        )}
      </div>
    </div>
  )
}

/** The next step after registering: to list something. */
function NextStep() {
  return (
    <div className="mt-6">
      <Banner
        tone="glow"
        action={
          <ButtonLink size="small" to={href('/dashboard/list-business/new')}>
            {NEXT_LIST_IT}
          </ButtonLink>
        }
      >
        {REGISTERED_TEXT}
      </Banner>
    </div>
  )
}

/**
 * Saves the form after uploading its logo, and reports the result as a toast.
 * @param isRegistered whether saving changes a registration
 * @param onSaved called with whether a registration was changed
 * @returns `newerVersion` is the saved version, if the form was refused because it had an older one
 */
function useSaving(isRegistered: boolean, onSaved: (isChange: boolean) => void) {
  const fetcher = useFetcher<RegistrationAnswer>()
  const [forgotten, setForgotten] = useState<RegistrationAnswer | undefined>()
  const toast = useToast()
  const fail = (reason: string) => toast({ type: 'error', text: registrationFailedText(reason) })
  const logoUpload = useLogoUpload(fail)
  useAnswer(fetcher, (answer) => {
    if (!answer.ok) {
      // The form shows this one, with its choices.
      if (answer.reason !== 'changed_meanwhile') fail(FAILURE_REASONS[answer.reason])
      return
    }
    onSaved(answer.isChange)
    logoUpload.forget()
    // The button is at the end of a long form; the saved registration begins at the top.
    window.scrollTo({ top: 0 })
    toast({
      type: 'success',
      text: answer.isChange ? CHANGED_TOAST : REGISTERED_TOAST,
    })
  })
  const { data: answer } = fetcher
  const refused = answer && !answer.ok && answer !== forgotten ? answer : null
  const pending = logoUpload.sending || fetcher.state !== 'idle'
  return {
    pending,
    lastResult: refused?.result,
    newerVersion: pending ? null : (refused?.version ?? null),
    // Its result has the typed values, with which the form would open again.
    forgetRefusal: () => setForgotten(answer),
    submit: async (form: FormData, logo: Logo) => {
      const logoUrl = await logoUpload.addressOf(logo)
      if (logoUrl === null) return
      form.set('logoUrl', logoUrl)
      if (isRegistered) form.set('intent', 'change')
      await fetcher.submit(form, { method: 'post' })
    },
  }
}

/**
 * Uploads a chosen logo before the form is sent.
 * @param fail receives the reason of a refusal
 */
function useLogoUpload(fail: (reason: string) => void) {
  const [sending, setSending] = useState(false)
  // An uploaded logo is not sent again when the rest of the form fails.
  const sentLogo = useRef<{ file: File; url: string } | null>(null)

  /** Uploads a chosen file first. Null when it was refused, which `fail` has reported. */
  const addressOf = async (logo: Logo): Promise<string | null> => {
    if (logo.kind === 'none') return ''
    if (logo.kind === 'stored') return logo.url
    if (sentLogo.current?.file === logo.file) return sentLogo.current.url
    const form = new FormData()
    form.set('kind', LOGO_KIND)
    form.set('file', logo.file)
    setSending(true)
    const sent = await sendForm(href('/api/upload'), form)
    setSending(false)
    const body = sent?.body as { ok?: boolean; image?: { url: string } } | null | undefined
    if (body?.ok && body.image) {
      sentLogo.current = { file: logo.file, url: body.image.url }
      return body.image.url
    }
    fail(`${uploadFailedText(logo.file.name)}. ${uploadRefusedText(sent)}`)
    return null
  }

  return {
    sending,
    addressOf,
    forget: () => {
      sentLogo.current = null
    },
  }
}
