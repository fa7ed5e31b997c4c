import { useEffect, useRef } from 'react'
import type { SecondFactorState } from '../../../adapters/accounts/port.ts'
import { Banner } from '../../../ui/banner.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { type QrCode, QrCodePicture } from '../../../ui/qr-code.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { recoveryCodesLeftText, recoveryFile } from '../messages.ts'
import { codeSchema, proofSchema } from '../schema.ts'
import { AccountForm, type AccountResult } from './account-form.tsx'
import { type ProofAsked, proofFields } from './proof-fields.tsx'
import { SettingsSection } from './settings-section.tsx'

export const TWO_STEP_INTENTS = ['two-step-begin', 'two-step-on', 'two-step-codes', 'two-step-off'] as const
export type TwoStepIntent = (typeof TWO_STEP_INTENTS)[number]

/** The response to one of this section's forms. */
export type TwoStepAnswer = {
  intent: TwoStepIntent
  result: AccountResult
  /** The secret that waits for its first code. */
  setup: { qr: QrCode; key: string } | null
  /** Shown this once. */
  recoveryCodes: string[] | null
}

/** Two-step login: sets it up with an authenticator app, shows recovery codes once, renews them, and turns it off. */
export function TwoStepSection({
  state,
  proofAsked,
  answer,
  brand,
}: {
  state: SecondFactorState
  proofAsked: ProofAsked
  answer: TwoStepAnswer | null
  brand: string
}) {
  // A set-up that took too long starts again.
  const begun = resultOf(answer, 'two-step-begin') ?? resultOf(answer, 'two-step-on')
  const proof = proofFields(proofAsked, begun)
  return (
    <SettingsSection
      id="two-step"
      title="Two-step login"
      text="After your password, you enter a code from an app on your phone. A stolen password alone is then not enough."
    >
      {answer?.recoveryCodes ? <RecoveryCodes codes={answer.recoveryCodes} brand={brand} /> : null}
      {state.isOn ? (
        <TurnedOn state={state} proofAsked={proofAsked} answer={answer} />
      ) : answer?.setup ? (
        <Setup setup={answer.setup} result={answer.result} />
      ) : (
        <AccountForm
          intent="two-step-begin"
          variant="secondary"
          schema={proofSchema}
          lastResult={begun}
          submitLabel="Set up two-step login"
          pendingLabel="One moment..."
          fields={proof.fields}
        >
          {proof.children}
        </AccountForm>
      )}
    </SettingsSection>
  )
}

function Setup({
  setup: { qr, key },
  result,
}: {
  setup: NonNullable<TwoStepAnswer['setup']>
  result: AccountResult
}) {
  const heading = useFocusOnArrival()
  return (
    <>
      <h3 ref={heading} tabIndex={-1} className="font-medium text-base">
        Scan this code with your app
      </h3>
      <p className="mt-1.5 text-quiet text-sm">
        Any authenticator app works, such as Google Authenticator, Microsoft Authenticator or 1Password.
      </p>
      <QrCodePicture code={qr} label="QR code with the key below" className="mt-4 w-52" />
      <p className="mt-4 text-sm">Can’t scan it? Type this key into the app:</p>
      <p className="mt-1 mb-6 figures select-all text-sm tracking-wide [overflow-wrap:anywhere]">
        {key.match(/.{1,4}/g)?.join(' ')}
      </p>
      <AccountForm
        intent="two-step-on"
        variant="brand"
        schema={codeSchema}
        lastResult={result}
        submitLabel="Turn on"
        pendingLabel="Checking..."
        fields={[
          {
            name: 'code',
            label: 'Code from the app',
            hint: 'Six digits.',
            type: 'text',
            inputMode: 'numeric',
            autoComplete: 'one-time-code',
          },
        ]}
      />
    </>
  )
}

function TurnedOn({
  state,
  proofAsked,
  answer,
}: {
  state: SecondFactorState
  proofAsked: ProofAsked
  answer: TwoStepAnswer | null
}) {
  const renewal = proofFields(proofAsked, resultOf(answer, 'two-step-codes'))
  const ending = proofFields(proofAsked, resultOf(answer, 'two-step-off'))
  const isOpen = (intent: TwoStepIntent) => (resultOf(answer, intent) ? true : undefined)
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <Tag tone="success">On</Tag>
        <span className="text-quiet text-sm">{recoveryCodesLeftText(state.recoveryCodesLeft)}</span>
      </p>
      <details className="mt-3" open={isOpen('two-step-codes')}>
        <summary className="link w-fit cursor-pointer py-2">Make new recovery codes</summary>
        <div className="mt-3 mb-4">
          <AccountForm
            key={answer?.recoveryCodes?.[0]}
            intent="two-step-codes"
            variant="secondary"
            schema={proofSchema}
            lastResult={resultOf(answer, 'two-step-codes')}
            submitLabel="Make new codes"
            pendingLabel="One moment..."
            fields={renewal.fields}
          >
            {renewal.children}
            <p className="text-quiet text-sm">Your current codes will stop working.</p>
          </AccountForm>
        </div>
      </details>
      <details open={isOpen('two-step-off')}>
        <summary className="link w-fit cursor-pointer py-2">Turn two-step login off</summary>
        <div className="mt-3">
          <AccountForm
            intent="two-step-off"
            variant="danger"
            schema={proofSchema}
            lastResult={resultOf(answer, 'two-step-off')}
            submitLabel="Turn off"
            pendingLabel="Turning off..."
            fields={ending.fields}
          >
            {ending.children}
          </AccountForm>
        </div>
      </details>
    </>
  )
}

function RecoveryCodes({ codes, brand }: { codes: readonly string[]; brand: string }) {
  const heading = useFocusOnArrival()
  return (
    <div className="mb-8">
      <h3 ref={heading} tabIndex={-1} className="font-medium text-base">
        Your recovery codes
      </h3>
      <div className="my-3">
        <Banner tone="glow">
          Keep them now: we can’t show them again. Each works once, in place of a code from the app.
        </Banner>
      </div>
      <ul className="figures mb-4 grid gap-1 tracking-wide [overflow-wrap:anywhere]">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      {/* A file without another request, so that the codes are never stored and no script is needed. */}
      <a
        className={buttonClass()}
        href={`data:text/plain;charset=utf-8,${encodeURIComponent(recoveryFile(codes, brand))}`}
        download={`${brand.toLowerCase()}-recovery-codes.txt`}
      >
        Download as text
      </a>
    </div>
  )
}

/** Moves the focus to what has replaced the form, so that a screen reader continues there. */
function useFocusOnArrival() {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return heading
}

const resultOf = (answer: TwoStepAnswer | null, intent: TwoStepIntent) =>
  answer?.intent === intent ? answer.result : undefined
