import { useRef, useState } from 'react'
import { href, useFetcher } from 'react-router'
import { sendForm } from '../../../ui/send-form.ts'
import { useToast } from '../../../ui/toast.tsx'
import { useAnswer } from '../../../ui/use-answer.ts'
import { uploadFailedText, uploadRefusedText } from '../../files/messages.ts'
import type { UploadKind } from '../../files/rules.ts'
import type { Logo } from '../components/logo-picker.tsx'
import { CHANGED_TOAST, FAILURE_REASONS, REGISTERED_TOAST, registrationFailedText } from '../messages.ts'
import type { RegistrationAnswer } from '../schema.ts'

const LOGO_KIND: UploadKind = 'logo'

/**
 * Saves the form after uploading its logo, and reports the result as a toast.
 * @param isRegistered whether saving changes a registration
 * @param onSaved called with whether a registration was changed
 * @returns `newerVersion` is the saved version, if the form was refused because it had an older one
 */
export function useRegistrationSaving(isRegistered: boolean, onSaved: (isChange: boolean) => void) {
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
      // Other screens have the form too.
      await fetcher.submit(form, { method: 'post', action: href('/dashboard/register-business') })
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
