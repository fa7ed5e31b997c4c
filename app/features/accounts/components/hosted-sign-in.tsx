import { type ComponentProps, type FormEvent, use, useMemo, useState } from 'react'
import { Form, useSubmit } from 'react-router'
import type { AccountStep, BrowserAccounts, StepAnswer } from '../../../adapters/accounts/browser-port.ts'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { openService } from '../browser/hosted-client.ts'
import { HostedSignIn } from '../browser/use-hosted-session.ts'
import { accountWording } from '../messages.ts'

/**
 * Runs a form's step at the hosted service, then passes the form to `send` for our server.
 * @returns null without a hosted service: the form then goes straight to our server
 */
export function useHostedStep():
  | ((step: AccountStep, form: FormData, send: (form: FormData) => Promise<void>) => Promise<StepAnswer>)
  | null {
  const settings = use(HostedSignIn)
  return useMemo(() => {
    if (!settings) return null
    return async (step, form, send) => {
      let service: BrowserAccounts
      try {
        service = await openService(settings)
      } catch (error) {
        console.warn('The account service could not be loaded.', error)
        return { ok: false, reason: 'network-request-failed' }
      }
      return service.carryOut(step, form, send)
    }
  }, [settings])
}

/** A form with no fields to type in, or with its own. A refusal of the hosted service shows as a toast. */
export function HostedForm({ step, ...props }: ComponentProps<typeof Form> & { step: AccountStep }) {
  const carryOut = useHostedStep()
  const submit = useSubmit()
  const [busy, setBusy] = useState(false)
  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    if (!carryOut) return
    event.preventDefault()
    if (busy) return
    const { submitter } = event.nativeEvent as SubmitEvent
    const form = new FormData(event.currentTarget, submitter)
    setBusy(true)
    const answer = await carryOut(step, form, async (proved) => {
      await submit(proved, { method: 'post', preventScrollReset: props.preventScrollReset ?? false })
    })
    setBusy(false)
    if (!answer.ok) showToast({ type: 'error', text: accountWording[answer.reason] })
  }
  return (
    <Form {...props} onSubmit={(event) => void onSubmit(event)}>
      {props.children}
      <SendFailure lostText={accountWording['network-request-failed']} />
    </Form>
  )
}
