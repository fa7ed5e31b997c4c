import { useRef, useState } from 'react'
import { Form, href, Link, useNavigation } from 'react-router'
import type { LocalDate } from '../../../shared/dates.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { CheckboxField } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import type { IconName } from '../../../ui/icon-names.ts'
import { useLeaveWarning } from '../../../ui/use-leave-warning.ts'
import { PasskeyProof } from '../../accounts/components/passkey-proof.tsx'
import { PasswordField } from '../../accounts/components/password-field.tsx'
import { PROOF_LABEL, PROOF_REFUSALS } from '../../accounts/messages.ts'
import { AgreementText } from '../../agreements/components/document-text.tsx'
import type { VendorAgreement } from '../../agreements/text-queries.server.ts'
import { useLiveUpdates } from '../../notifications/browser/use-live-updates.ts'
import { useRegistrationSaving } from '../../registrations/browser/use-registration-saving.ts'
import { RegistrationForm } from '../../registrations/components/registration-form.tsx'
import { LEAVE_REGISTRATION } from '../../registrations/messages.ts'
import type { Prefill } from '../../registrations/prefill-rules.ts'
import { longDay } from '../earning-messages.ts'
import {
  BACK_LABELS,
  CHAIN_STEPS,
  SETUP_REFUSALS,
  SETUP_STATES,
  SETUP_TITLE,
  type SetupRefusal,
  wantedTexts,
} from '../setup-messages.ts'
import { type Beginning, type SetupState, stepsDone, withBeginning } from '../setup-rules.ts'

const ICONS = {
  not_registered: 'circle-dashed',
  not_agreed: 'circle-dashed',
  agreement_changed: 'circle-ellipsis',
  not_started: 'circle-dashed',
  not_finished: 'circle-ellipsis',
  in_review: 'clock',
  needs_more: 'circle-ellipsis',
  paused: 'circle-alert',
  ready: 'circle-check',
  rejected: 'circle-alert',
} as const satisfies Record<SetupState, IconName>

type Props = {
  state: SetupState
  /** The codes of the requirements that the vendor can meet. */
  wanted: readonly string[]
  /** The day by which it is wanted. */
  dueOn: LocalDate | null
  bankLast4: string | null
  today: LocalDate
  agreement: VendorAgreement
  /** Whether the vendor has a passkey to prove themselves with. */
  byPasskey: boolean
  /** Why the last attempt failed. */
  problem: SetupRefusal | null
  /** The screen from which the vendor came, to which the chain leads back. */
  from: Beginning
  /** The initial values of the registration's form; null for a registered vendor. */
  newRegistration: { today: LocalDate; prefill: Prefill } | null
}

/** The screen to which the chain leads back. */
export const BACK_PATHS = {
  payouts: href('/dashboard/payouts'),
  dashboard: href('/dashboard'),
  listings: href('/dashboard/list-business'),
} as const satisfies Record<Beginning, string>

/** The address of this screen's forms, which keeps where the vendor began. */
const formPath = (from: Beginning) => withBeginning(href('/dashboard/payouts/setup'), from)

/** How a vendor gets paid, as one chain: the business, the agreement, and the provider's form. */
export function SetupScreen(props: Props) {
  const { state, problem, from, newRegistration } = props
  const heading = useRef<HTMLHeadingElement>(null)
  useLiveUpdates(['payouts'])
  const { label, text } = SETUP_STATES[state]
  const icon = ICONS[state]
  const isBad = state === 'paused' || state === 'rejected'
  return (
    <div className="max-w-column">
      <h1 className="text-3xl md:text-4xl">{SETUP_TITLE}</h1>
      <p className="mt-2">
        <Link className="link inline-flex min-h-11 items-center" to={BACK_PATHS[from]}>
          {BACK_LABELS[from]}
        </Link>
      </p>
      <Steps done={stepsDone(state)} />
      {problem ? (
        <div className="notice notice-error mt-4" role="alert">
          <Icon name="circle-alert" />
          <p>{SETUP_REFUSALS[problem]}</p>
        </div>
      ) : null}
      <section aria-labelledby="setup-state" className="mt-6 border-t border-line pt-6">
        <h2 id="setup-state" ref={heading} tabIndex={-1} className="flex items-center gap-3 text-2xl">
          <Icon name={icon} className={classNames('size-7 flex-none', isBad ? 'text-error' : 'text-brand')} />
          {label}
        </h2>
        <p className="mt-2 max-w-prose">{text}</p>
        {state === 'ready' && props.bankLast4 ? (
          <p className="figures mt-1 max-w-prose">
            It goes to your bank account ending in {props.bankLast4}.
          </p>
        ) : null}
        <Wanted {...props} />
        <NextStep {...props} />
        <NewRegistration start={newRegistration} onSaved={() => heading.current?.focus()} />
      </section>
    </div>
  )
}

/** The three steps of the chain, with those that are done ticked. Renders nothing where there is no chain. */
function Steps({ done }: { done: number | null }) {
  if (done === null) return null
  return (
    <ol className="mt-4 flex flex-wrap gap-x-4 gap-y-2" aria-label="Steps">
      {CHAIN_STEPS.map((step, index) => (
        <li
          key={step}
          aria-current={index === done ? 'step' : undefined}
          className={classNames('flex items-center gap-2.5', index !== done && 'text-quiet')}
        >
          <span
            className={classNames(
              'grid size-8 flex-none place-items-center rounded-full text-sm font-semibold',
              index < done ? 'bg-brand text-on-brand' : 'border border-line-strong bg-surface',
              index === done && 'border-brand text-brand',
            )}
          >
            {index < done ? <Icon name="check" aria-label="Done" className="size-4" /> : index + 1}
          </span>
          <span className={classNames(index === done && 'font-semibold')}>{step}</span>
        </li>
      ))}
    </ol>
  )
}

/**
 * The first step: the registration, with the ABN first. Stays mounted after it, since it shows the toast of the saved form.
 * @param start null once the vendor is registered
 */
function NewRegistration({ start, onSaved }: { start: Props['newRegistration']; onSaved: () => void }) {
  const [isUnsaved, setUnsaved] = useState(false)
  const { pending, lastResult, submit } = useRegistrationSaving(false, () => {
    setUnsaved(false)
    onSaved()
  })
  useLeaveWarning(isUnsaved && start !== null, LEAVE_REGISTRATION)
  if (!start) return null
  return (
    <div className="mt-8">
      <RegistrationForm
        present={null}
        prefill={start.prefill}
        isAbnFirst
        version={null}
        newerVersion={null}
        today={start.today}
        lastResult={lastResult}
        pending={pending}
        onTyped={() => setUnsaved(true)}
        onSubmit={(form, logo) => void submit(form, logo)}
        onShowSaved={() => {}}
      />
    </div>
  )
}

/** Asks again who the vendor is. Nothing else of the form changes. */
function Proof({ problem, byPasskey }: Pick<Props, 'problem' | 'byPasskey'>) {
  if (!problem || !(problem in PROOF_REFUSALS)) return null
  return (
    <>
      <PasswordField
        label={PROOF_LABEL}
        name="proof"
        autoComplete="current-password"
        className="max-w-80"
        error={problem === 'proof_needed' ? undefined : SETUP_REFUSALS[problem]}
      />
      {byPasskey ? <PasskeyProof /> : null}
    </>
  )
}

/** The provider's open requirements, and by when it needs them. */
function Wanted({ wanted, dueOn, state, today }: Props) {
  const texts = wantedTexts(wanted)
  if (texts.length === 0 || state === 'not_registered' || state === 'not_agreed' || state === 'rejected')
    return null
  return (
    <div className="mt-5">
      <h3 className="text-base font-semibold">
        {dueOn && dueOn >= today ? `Still needed, by ${longDay(dueOn, today)}` : 'Still needed'}
      </h3>
      <ul className="mt-1.5 list-disc pl-5">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  )
}

const FORM_LABELS = {
  not_started: 'Go to the form',
  not_finished: 'Continue',
  needs_more: 'Continue',
  paused: 'Continue',
  in_review: 'Open the form again',
  ready: 'Change your bank account or details',
} as const

function NextStep(props: Props) {
  const { state } = props
  const isSending = useNavigation().state === 'submitting'
  if (state === 'rejected' || state === 'not_registered') return null
  if (state === 'not_agreed' || state === 'agreement_changed')
    return <Agreement {...props} isSending={isSending} />
  const isDone = state === 'ready' || state === 'in_review'
  return (
    <>
      {isDone && props.from !== 'payouts' ? (
        <ButtonLink variant="primary" size="large" className="mt-6" to={BACK_PATHS[props.from]}>
          {BACK_LABELS[props.from]}
        </ButtonLink>
      ) : null}
      <Form method="post" action={formPath(props.from)} className="mt-6 grid justify-items-start gap-5">
        <input type="hidden" name="intent" value="continue" />
        <Proof {...props} />
        <Button
          type="submit"
          variant={isDone ? 'secondary' : 'primary'}
          size="large"
          className="w-full sm:w-auto"
          pending={isSending}
          pendingText="Opening the form..."
        >
          {FORM_LABELS[state]}
        </Button>
      </Form>
      {isDone ? null : <FormNote />}
      <p className="mt-8 flex items-center gap-2.5 border-t border-line pt-4 text-sm text-quiet">
        <Icon name="check" className="size-5 flex-none text-success" />
        <span>
          You’ve accepted the{' '}
          <a className="link" href={props.agreement.pdfPath} target="_blank" rel="noreferrer">
            vendor agreement
          </a>
          .
        </span>
      </p>
    </>
  )
}

function FormNote() {
  return (
    <p className="mt-3 max-w-prose text-sm text-quiet">
      The form is our payment provider’s. Have your ID and your bank details at hand: it takes about five
      minutes. You come back here afterwards, and you can stop and continue later.
    </p>
  )
}

/** The agreement in short and in full, and the step that accepts it. */
function Agreement({
  agreement,
  problem,
  byPasskey,
  state,
  from,
  isSending,
}: Props & { isSending: boolean }) {
  const isChange = state === 'agreement_changed'
  return (
    <Form method="post" action={formPath(from)} className="mt-6 grid gap-5">
      <input type="hidden" name="intent" value="accept" />
      <input type="hidden" name="version" value={agreement.version} />
      <h3 className="text-lg">The vendor agreement in short</h3>
      <AgreementText agreement={agreement} />
      <CheckboxField
        label="I accept the vendor agreement"
        name="accepted"
        value="yes"
        required
        defaultChecked={problem !== null && problem in PROOF_REFUSALS}
        aria-invalid={problem === 'not_accepted' ? true : undefined}
      />
      <Proof problem={problem} byPasskey={byPasskey} />
      <div>
        <Button
          type="submit"
          variant="primary"
          size="large"
          className="w-full sm:w-auto"
          pending={isSending}
          pendingText={isChange ? 'Accepting...' : 'Opening the form...'}
        >
          {isChange ? 'Accept' : 'Accept and go to the form'}
        </Button>
        {isChange ? null : <FormNote />}
      </div>
    </Form>
  )
}
