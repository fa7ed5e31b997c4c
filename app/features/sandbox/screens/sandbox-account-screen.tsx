import { Form, Link } from 'react-router'
import type {
  SandboxAccountForm,
  SandboxAccountStep,
} from '../../../adapters/payments/sandbox/accounts.server.ts'
import { formatDay } from '../../../shared/dates.ts'
import { GOOD_BANK_ACCOUNT, RETURNING_BANK_ACCOUNT, SANDBOX_BSB } from '../../../shared/sandbox-banks.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { ACCOUNT_STEP_TITLES } from '../account-messages.ts'

/** A refused step, with what was typed. */
export type AccountFormAnswer = {
  refusal: string | null
  errors: Readonly<Record<string, string[] | undefined>>
  typed: Readonly<Record<string, string>>
}

/** The test provider's form of a vendor's account: what a real provider asks for on pages of its own. */
export function SandboxAccountScreen({
  form,
  step,
  answer,
}: {
  form: SandboxAccountForm
  /** Null when nothing is missing. */
  step: SandboxAccountStep | null
  answer: AccountFormAnswer | null
}) {
  return (
    <div className="page page-column py-8 md:py-12">
      <p className="notice">
        This is a test provider. Type nothing real: no name, no date of birth, no bank account.
      </p>
      <h1 className="mt-6 [overflow-wrap:anywhere]">Payouts for {form.registeredName}</h1>
      {form.isBankRefused ? (
        <p className="notice notice-error mt-6">
          The bank sent a payout back. Enter another bank account to get it.
        </p>
      ) : null}
      {form.hasEnded ? (
        <p className="notice notice-error mt-6">
          The test provider has closed this account or refused it for good.
        </p>
      ) : null}
      {answer?.refusal ? (
        <p role="alert" className="notice notice-error mt-6">
          {answer.refusal}
        </p>
      ) : null}
      {step ? <Step form={form} step={step} answer={answer} /> : <Summary form={form} />}
      <p className="mt-8">
        <a href={form.returnUrl} className="link">
          {step ? 'Continue later' : 'Go back'}
        </a>
      </p>
    </div>
  )
}

function Step({
  form,
  step,
  answer,
}: {
  form: SandboxAccountForm
  step: SandboxAccountStep
  answer: AccountFormAnswer | null
}) {
  const typed = answer?.typed ?? {}
  const errors = answer?.errors ?? {}
  return (
    <section className="mt-8">
      <h2>{ACCOUNT_STEP_TITLES[step]}</h2>
      <Form method="post" reloadDocument className="mt-4 grid max-w-md gap-5">
        <input type="hidden" name="step" value={step} />
        {step === 'person' ? (
          <>
            <TextField
              name="givenName"
              label="Given name"
              defaultValue={typed.givenName ?? form.givenName ?? ''}
              error={errors.givenName}
              autoComplete="off"
            />
            <TextField
              name="surname"
              label="Surname"
              defaultValue={typed.surname ?? form.surname ?? ''}
              error={errors.surname}
              autoComplete="off"
            />
            <TextField
              name="dateOfBirth"
              type="date"
              label="Date of birth"
              defaultValue={typed.dateOfBirth ?? form.dateOfBirth ?? ''}
              error={errors.dateOfBirth}
              autoComplete="off"
            />
          </>
        ) : null}
        {step === 'bank' ? <BankFields typed={typed} errors={errors} /> : null}
        {step === 'document' ? (
          <p>The test provider wants a document. Press the button to send one.</p>
        ) : null}
        {step === 'confirm' ? <Facts form={form} /> : null}
        <Button type="submit" variant="primary">
          {step === 'confirm' ? 'Agree and send' : step === 'document' ? 'Send a test document' : 'Save'}
        </Button>
      </Form>
    </section>
  )
}

function BankFields({ typed, errors }: Pick<AccountFormAnswer, 'typed' | 'errors'>) {
  return (
    <>
      <p className="text-quiet">
        Payouts to {GOOD_BANK_ACCOUNT} arrive. Payouts to {RETURNING_BANK_ACCOUNT} come back.
      </p>
      <TextField
        name="bsb"
        label="BSB"
        hint={`Always ${SANDBOX_BSB}`}
        defaultValue={typed.bsb ?? ''}
        error={errors.bsb}
        inputMode="numeric"
        autoComplete="off"
      />
      <TextField
        name="account"
        label="Account number"
        defaultValue={typed.account ?? ''}
        error={errors.account}
        inputMode="numeric"
        autoComplete="off"
      />
    </>
  )
}

function Summary({ form }: { form: SandboxAccountForm }) {
  if (form.hasEnded) return null
  return (
    <section className="mt-8">
      <h2>Everything is here</h2>
      <div className="mt-4">
        <Facts form={form} />
      </div>
    </section>
  )
}

function Facts({ form }: { form: SandboxAccountForm }) {
  return (
    <dl className="grid gap-3">
      <div>
        <dt className="text-quiet">Name</dt>
        <dd className="[overflow-wrap:anywhere]">
          {form.givenName} {form.surname}
        </dd>
      </div>
      {form.dateOfBirth ? (
        <div>
          <dt className="text-quiet">Date of birth</dt>
          <dd>{formatDay(form.dateOfBirth)}</dd>
        </div>
      ) : null}
      <div>
        <dt className="text-quiet">Bank account</dt>
        <dd>
          ends in {form.bankLast4}.{' '}
          <Link to="?step=bank" className="link" reloadDocument>
            Change the bank account
          </Link>
        </dd>
      </div>
    </dl>
  )
}
