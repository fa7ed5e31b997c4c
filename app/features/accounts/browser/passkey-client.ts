import { href } from 'react-router'
import { accountWording, PASSKEY_FAILED } from '../messages.ts'
import type { PasskeyStep } from '../schema.ts'

// Fetched only where a person uses passkeys.

/** @param field the field to show the message beside */
export type PasskeyOutcome =
  | { ok: true; to: string | null }
  | { ok: false; message: string; field: 'proof' | null; isGivenUp: boolean }

type Answer = { options?: object; to?: string; message?: string; field?: 'proof' }

/**
 * Signs in with a passkey.
 * @param how 'offered' shows passkeys in the email field's suggestions and waits until one is chosen; 'asked' opens the
 * browser's dialog
 */
export function signInWithPasskey(
  next: string,
  how: 'offered' | 'asked',
  signal: AbortSignal,
): Promise<PasskeyOutcome> {
  let isChosen = how === 'asked'
  const outcome = carryOut(async () => {
    const { options } = await send({ step: 'begin-sign-in' })
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as never)
    const mediation = how === 'offered' ? 'conditional' : 'optional'
    const chosen = await navigator.credentials.get({ publicKey, mediation, signal })
    isChosen = true
    const response = { ...(chosen as PublicKeyCredential).toJSON() }
    const { to } = await send({ step: 'sign-in', response }, next)
    return to ?? null
  })
  // Nobody asked for what the email field offers, so a browser that can't offer it is no news.
  return outcome.then((done) => (done.ok || isChosen ? done : { ...done, isGivenUp: true }))
}

/** Whether the email field can offer passkeys. */
export const canOffer = async () => (await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false

/**
 * Makes a passkey on this device, or on another that the browser reaches, and adds it to the account.
 * @param proof empty relies on a recent one
 */
export function addPasskey(proof: string): Promise<PasskeyOutcome> {
  return carryOut(async () => {
    const { options } = await send({ step: 'begin-adding', proof })
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as never)
    const made = await navigator.credentials.create({ publicKey })
    await send({ step: 'add', response: { ...(made as PublicKeyCredential).toJSON() } })
    return null
  })
}

/** Proves with a passkey that the person at this browser is still the account's owner. Opens no session. */
export function proveByPasskey(): Promise<PasskeyOutcome> {
  return carryOut(async () => {
    const { options } = await send({ step: 'begin-proof' })
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as never)
    const chosen = await navigator.credentials.get({ publicKey })
    await send({ step: 'prove', response: { ...(chosen as PublicKeyCredential).toJSON() } })
    return null
  })
}

class Refused extends Error {
  readonly field: 'proof' | null
  constructor({ message, field }: Answer) {
    super(message ?? accountWording['internal-error'])
    this.field = field ?? null
  }
}

async function carryOut(steps: () => Promise<string | null>): Promise<PasskeyOutcome> {
  try {
    return { ok: true, to: await steps() }
  } catch (error) {
    const refusal = { ok: false, field: null, isGivenUp: false } as const
    if (error instanceof Refused) return { ...refusal, message: error.message, field: error.field }
    if (error instanceof TypeError) return { ...refusal, message: accountWording['network-request-failed'] }
    // The person closed the dialog, or took longer than the browser waits. It doesn't say which.
    const isGivenUp = error instanceof DOMException && ['AbortError', 'NotAllowedError'].includes(error.name)
    if (error instanceof DOMException && error.name === 'InvalidStateError')
      return { ...refusal, message: 'This device already has a passkey for your account.' }
    return { ...refusal, message: PASSKEY_FAILED, isGivenUp }
  }
}

async function send(step: PasskeyStep, next?: string): Promise<Answer> {
  const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`
  const response = await fetch(`${href('/api/passkey')}${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(step),
  })
  const answer = (await response.json().catch(() => ({}))) as Answer
  if (!response.ok) throw new Refused(answer)
  return answer
}
