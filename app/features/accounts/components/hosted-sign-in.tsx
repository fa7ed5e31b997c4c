import { type ComponentProps, type FormEvent, use, useMemo, useState } from 'react'
import { Form, useSubmit } from 'react-router'
import type { AccountStep, BrowserAccounts, StepAnswer } from '../../../adapters/accounts/browser-port.ts'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { openService } from '../browser/hosted-client.ts'
import { HostedSignIn } from '../browser/use-hosted-session.ts'
import { accountWording } from '../messages.ts'

/**
 * Does a form's part at the hosted service before `send` gives it to our server.
 * @returns null where there is no hosted service: then the form goes to our server as it is
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

/** A form without fields to type in, or with its own; a refusal of the hosted service is told by a toast. */
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
