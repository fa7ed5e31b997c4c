import type { AccountRefusal, FactorSecret, SecondFactor } from '../../adapters/accounts/port.ts'
import { type AccountFormOutcome, submitAccountForm } from '../../features/accounts/commands.server.ts'
import type { TwoStepAnswer, TwoStepIntent } from '../../features/accounts/components/two-step-section.tsx'
import { CODE_WRONG, SETUP_EXPIRED, TWO_STEP_DONE } from '../../features/accounts/messages.ts'
import { codeSchema, proofSchema } from '../../features/accounts/schema.ts'
import { drawQrCode } from '../../shared/qr-code.server.ts'
import type { FactorProof } from '../ask-again.server.ts'

type Changed = { status: number; answer: TwoStepAnswer; message: string | null }

/**
 * Handles a form of the section 'Two-step login'.
 * @param given.issuer the site's name in the authenticator app
 */
export async function changeTwoStep(
  factor: SecondFactor,
  request: Request,
  given: { form: FormData; intent: TwoStepIntent; issuer: string; proof: FactorProof },
): Promise<Changed> {
  const { intent, issuer } = given
  const outcome = await submit(factor, request, given)
  const answer: TwoStepAnswer = { intent, result: undefined, setup: null, recoveryCodes: null }
  if (outcome.ok) {
    const { message = null, setup, recoveryCodes = null } = outcome.answer
    return { status: 200, answer: { ...answer, setup: setup ? draw(setup) : null, recoveryCodes }, message }
  }
  // The code to scan is shown again beside the refusal.
  const begun = intent === 'two-step-on' ? await factor.findBegun(request, { issuer }) : null
  return {
    status: outcome.status,
    answer: { ...answer, result: outcome.result, setup: begun && draw(begun) },
    message: null,
  }
}

type Done = { ok: true; message?: string; setup?: FactorSecret; recoveryCodes?: string[] }

function submit(
  factor: SecondFactor,
  request: Request,
  {
    form,
    intent,
    issuer,
    proof,
  }: { form: FormData; intent: TwoStepIntent; issuer: string; proof: FactorProof },
): Promise<AccountFormOutcome<Done>> {
  if (intent === 'two-step-on')
    return submitAccountForm({
      form,
      schema: codeSchema,
      ask: async (fields) => withMessage(await factor.turnOn(request, fields), TWO_STEP_DONE.on),
      onField: { 'invalid-verification-code': { field: 'code', message: CODE_WRONG } },
      inWords: { 'code-expired': SETUP_EXPIRED },
    })
  return submitAccountForm<{ proof?: string | undefined }, Done>({
    form,
    schema: proofSchema,
    ask: async () => {
      const proved = await proof.take(form)
      if (!proved.ok) return proved
      switch (intent) {
        case 'two-step-begin': {
          const begun = await factor.begin(request, { issuer })
          return begun.ok ? { ok: true, setup: begun } : begun
        }
        case 'two-step-codes':
          return withMessage(await factor.renewRecoveryCodes(request), TWO_STEP_DONE.codes)
        case 'two-step-off':
          return withMessage(await factor.turnOff(request), TWO_STEP_DONE.off)
      }
    },
    onField: proof.besideField,
  })
}

const withMessage = <Answer extends { ok: true }>(answer: Answer | AccountRefusal, message: string) =>
  answer.ok ? { ...answer, message } : answer

const draw = ({ uri, key }: FactorSecret) => ({ key, qr: drawQrCode(uri) })
