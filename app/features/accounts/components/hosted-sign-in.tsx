import {
  type ComponentProps,
  createContext,
  type FormEvent,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
} from 'react'
import { Form, useNavigate, useRevalidator, useSubmit } from 'react-router'
import type {
  AccountStep,
  BrowserAccounts,
  HostedSettings,
  StepAnswer,
} from '../../../adapters/accounts/browser-port.ts'
import type { AccountCode } from '../../../adapters/accounts/codes.ts'
import { hasRunOut, readMark, writeMark } from '../../../adapters/accounts/hosted-mark.ts'
import { readCookie, SIGNED_IN_COOKIE } from '../../../shared/cookies.ts'
import { showToast } from '../../../ui/toast.tsx'
import { accountWording, EMAIL_CONFIRMED_ELSEWHERE, SESSION_CHANNEL } from '../wording.ts'

const HostedContext = createContext<HostedSettings | null>(null)

/** Above everything that signs people in. Null where our own server does. */
export const HostedSignIn = HostedContext

let opened: Promise<BrowserAccounts> | null = null

/** The service's SDK, loaded once and only when something needs it. */
function openService(settings: HostedSettings): Promise<BrowserAccounts> {
  opened ??= import('../../../adapters/accounts/firebase-client.ts')
    .then(({ openFirebase }) => openFirebase(settings, announceEnd))
    .catch((error) => {
      // Offline, perhaps: the next one that needs it tries again.
      opened = null
      throw error
    })
  return opened
}

/** Every tab asks who is signed in. */
function announceEnd(reason: AccountCode | null): void {
  if (reason) showToast({ type: 'error', text: accountWording[reason] })
  const channel = new BroadcastChannel(SESSION_CHANNEL)
  channel.postMessage('changed')
  channel.close()
}

/**
 * Does a form's part at the hosted service before `send` gives it to our server.
 * @returns null where there is no hosted service: then the form goes to our server as it is
 */
export function useHostedStep():
  | ((step: AccountStep, form: FormData, send: (form: FormData) => Promise<void>) => Promise<StepAnswer>)
  | null {
  const settings = use(HostedContext)
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
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    if (!carryOut) return
    event.preventDefault()
    if (busy) return
    const { submitter } = event.nativeEvent as SubmitEvent
    const form = new FormData(event.currentTarget, submitter)
    setBusy(true)
    const answer = await carryOut(step, form, async (proved) => {
      if (step === 'confirm-email' && !proved.get('token')) {
        // Nobody is signed in here: our server hears of it at the next sign-in.
        showToast({ type: 'success', text: EMAIL_CONFIRMED_ELSEWHERE })
        return navigate('/login')
      }
      await submit(proved, { method: 'post', preventScrollReset: props.preventScrollReset ?? false })
    })
    setBusy(false)
    if (!answer.ok) showToast({ type: 'error', text: accountWording[answer.reason] })
  }
  return <Form {...props} onSubmit={(event) => void onSubmit(event)} />
}

/**
 * Keeps our session alive by the hosted service's tokens while somebody is signed in, and signs out of the service
 * when they no longer are.
 * @returns renews our session: 'if-run-out' by what this browser remembers, before the server is asked who is signed in;
 *   'always' when the server said that it has run out. Null without a hosted service
 */
export function useHostedSession(
  isSignedIn: boolean,
  loading: boolean,
): ((when: 'if-run-out' | 'always') => Promise<void>) | null {
  const settings = use(HostedContext)
  const { revalidate } = useRevalidator()

  useEffect(() => {
    if (!settings || loading) return
    if (isSignedIn) {
      // After everything that the person waits for.
      const idle = setTimeout(() => {
        openService(settings).then((service) => service.keepRenewing(), noteFailure)
      }, 1_000)
      return () => clearTimeout(idle)
    }
    if (readMark() && !readCookie(document.cookie, SIGNED_IN_COOKIE))
      openService(settings).then((service) => service.signOut(), noteFailure)
  }, [settings, isSignedIn, loading])

  const renew = useCallback(
    async (when: 'if-run-out' | 'always') => {
      if (!settings || (when === 'if-run-out' && !hasRunOut(readMark()))) return
      // What this browser remembers was wrong: clocks differ, or another tab wrote it.
      if (when === 'always') writeMark(null)
      const service = await openService(settings)
      // Loaders that ran before saw nobody.
      if (await service.renew()) void revalidate()
      // Nobody is signed in at the service any more, so nothing will ever renew it.
      else if (when === 'always') await fetch('/logout', { method: 'POST', redirect: 'manual' })
    },
    [settings, revalidate],
  )
  return settings ? renew : null
}

const noteFailure = (error: unknown) => console.warn('The account service could not be loaded.', error)
