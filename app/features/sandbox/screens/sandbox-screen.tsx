import { href, useFetcher } from 'react-router'
import type { SandboxAccount } from '../../../adapters/payments/sandbox/account-list.server.ts'
import { formatEventTime, formatInstant, HOME_ZONE } from '../../../shared/dates.ts'
import { formatMoney } from '../../../shared/money.ts'
import { DAY_MS } from '../../../shared/time-units.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useAnswer } from '../../../ui/use-answer.ts'
import { STEP_LABELS, WEBHOOK_LABELS } from '../messages.ts'
import type { ConsoleCharge } from '../queries.server.ts'
import {
  accountSteps,
  disputeSteps,
  payoutSteps,
  refundSteps,
  savedCardSteps,
  WEBHOOK_CHOICES,
} from '../rules.ts'

const STEPS = [
  { label: '1 hour', field: 'hours', value: 1 },
  { label: '1 day', field: 'days', value: 1 },
  { label: '1 week', field: 'days', value: 7 },
  { label: '30 days', field: 'days', value: 30 },
] as const
const UNIT_LABELS = { days: 'Days', hours: 'Hours', minutes: 'Minutes' } as const

/** The result of a form, with what was typed. */
export type ConsoleAnswer = { ok: boolean; message: string; fields: Readonly<Record<string, string>> }

/** The sandbox's console: moves the clock and makes trouble with payments. */
export function SandboxScreen({
  now,
  aheadMs,
  charges,
  accounts,
  answer,
}: {
  now: string
  aheadMs: number
  charges: readonly ConsoleCharge[]
  /** Null without payouts. */
  accounts: readonly SandboxAccount[] | null
  /** The result of a form that was sent without JavaScript. */
  answer: ConsoleAnswer | null
}) {
  return (
    <div className="page page-column py-8 md:py-12">
      <h1>Sandbox</h1>
      <p className="mt-3 text-quiet">
        Test payments behave as you say here. Only this machine can open this page.
      </p>
      {answer ? (
        <p role="status" className={`notice mt-6 ${answer.ok ? 'notice-success' : 'notice-error'}`}>
          {answer.message}
        </p>
      ) : null}
      <Clock now={now} aheadMs={aheadMs} typed={answer && !answer.ok ? answer.fields : {}} />
      <section className="mt-12">
        <h2>Payments</h2>
        {charges.length === 0 ? (
          <EmptyState text="No test payment yet. Book something and pay with a test card: it appears here." />
        ) : (
          <ul className="mt-4 border-t border-line">
            {charges.map((charge) => (
              <Charge key={charge.reference} charge={charge} />
            ))}
          </ul>
        )}
      </section>
      {accounts ? <Accounts accounts={accounts} /> : null}
    </div>
  )
}

function useConsoleForm() {
  const fetcher = useFetcher<ConsoleAnswer>()
  useAnswer(fetcher, ({ ok, message, fields }) => {
    // A wrong step of the clock is shown beside its fields.
    if (ok || fields.intent !== 'clock') showToast({ type: ok ? 'success' : 'error', text: message })
  })
  return fetcher
}

function Clock({
  now,
  aheadMs,
  typed,
}: {
  now: string
  aheadMs: number
  typed: Readonly<Record<string, string>>
}) {
  const steps = useConsoleForm()
  const custom = useConsoleForm()
  const error = custom.data && !custom.data.ok ? custom.data.message : undefined
  return (
    <section className="mt-8">
      <h2>Clock</h2>
      <p className="figures mt-3 text-lg">{formatInstant(new Date(now), HOME_ZONE)}</p>
      <p className="text-quiet">{aheadText(aheadMs)} The clock only moves forward.</p>
      <steps.Form method="post" action={href('/sandbox')} className="mt-4 flex flex-wrap gap-3">
        <input type="hidden" name="intent" value="clock" />
        {STEPS.map(({ label, field, value }) => (
          <Button key={label} type="submit" name={field} value={value} waiting={steps.state !== 'idle'}>
            {label} forward
          </Button>
        ))}
        <SendFailure />
      </steps.Form>
      <custom.Form
        method="post"
        action={href('/sandbox')}
        className="mt-6 grid grid-cols-3 items-end gap-3 md:grid-cols-[repeat(3,minmax(0,1fr))_auto]"
      >
        <input type="hidden" name="intent" value="clock" />
        {(['days', 'hours', 'minutes'] as const).map((name) => (
          <TextField
            key={name}
            name={name}
            label={UNIT_LABELS[name]}
            defaultValue={typed[name]}
            inputMode="numeric"
            maxLength={6}
            autoComplete="off"
          />
        ))}
        <Button
          type="submit"
          className="col-span-3 md:col-span-1"
          pending={custom.state !== 'idle'}
          pendingText="Moving…"
        >
          Move forward
        </Button>
        {error ? (
          <p role="alert" className="notice notice-error col-span-full">
            {error}
          </p>
        ) : null}
        <SendFailure />
      </custom.Form>
    </section>
  )
}

function aheadText(aheadMs: number): string {
  if (aheadMs === 0) return 'The real time.'
  const days = Math.floor(aheadMs / DAY_MS)
  const hours = Math.floor((aheadMs % DAY_MS) / 3_600_000)
  const minutes = Math.round((aheadMs % 3_600_000) / 60_000)
  const parts = [
    ...(days > 0 ? [`${days} d`] : []),
    ...(hours > 0 ? [`${hours} h`] : []),
    ...(minutes > 0 ? [`${minutes} min`] : []),
  ]
  return `${parts.join(' ')} ahead of the real time.`
}

function Charge({ charge }: { charge: ConsoleCharge }) {
  const { sale, refunds, dispute } = charge
  return (
    <li className="border-b border-line py-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <h3 className="min-w-0 text-lg [overflow-wrap:anywhere]">
          {sale?.businessName ?? 'Unknown payment'}
        </h3>
        <p className="price figures">{formatMoney(charge.amountCents)}</p>
      </div>
      {sale ? (
        <p className="[overflow-wrap:anywhere]">
          {sale.customerName}, {formatEventTime(sale.date, sale.time)}
        </p>
      ) : null}
      <p className="figures text-sm text-quiet [overflow-wrap:anywhere]">
        Card {charge.cardLast4 ?? '?'}, {formatInstant(new Date(charge.createdAt), HOME_ZONE)},{' '}
        {charge.reference}
      </p>
      {refunds.length > 0 || dispute ? (
        <p className="mt-3 flex flex-wrap gap-2">
          {refunds.map(({ status, amountCents }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: refunds have no id here, and their order is fixed.
            <Tag key={at} tone={status === 'failed' ? 'error' : 'neutral'}>
              Refund of {formatMoney(amountCents)}: {status}
            </Tag>
          ))}
          {dispute ? (
            <Tag tone={dispute.isOpen ? 'error' : 'neutral'}>
              Dispute: {dispute.status.replaceAll('_', ' ')}
            </Tag>
          ) : null}
        </p>
      ) : null}
      <div className="mt-3 grid gap-3 md:grid-cols-2">
        <StepForm
          intent="dispute"
          about={{ payment: charge.reference }}
          steps={disputeSteps(charge)}
          labels={STEP_LABELS.dispute}
        />
        <StepForm
          intent="refund"
          about={{ payment: charge.reference }}
          steps={refundSteps(charge)}
          labels={STEP_LABELS.refund}
        />
        <StepForm
          intent="saved-card"
          about={{ payment: charge.reference }}
          steps={savedCardSteps(charge)}
          labels={STEP_LABELS['saved-card']}
        />
      </div>
    </li>
  )
}

function Accounts({ accounts }: { accounts: readonly SandboxAccount[] }) {
  return (
    <section className="mt-12">
      <h2>Accounts of vendors</h2>
      {accounts.length === 0 ? (
        <EmptyState text="No account yet. A vendor who sets up payouts appears here." />
      ) : (
        <ul className="mt-4 border-t border-line">
          {accounts.map((account) => (
            <Account key={account.reference} account={account} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Account({ account }: { account: SandboxAccount }) {
  const { reference, missing, payout } = account
  const about = { account: reference }
  return (
    <li className="border-b border-line py-5">
      <h3 className="text-lg [overflow-wrap:anywhere]">{account.registeredName}</h3>
      <p className="figures text-sm text-quiet [overflow-wrap:anywhere]">
        {formatMoney(account.availableCents)} available, {formatMoney(account.pendingCents)} pending,{' '}
        {account.bankLast4 ? `bank account ${account.bankLast4}` : 'no bank account'}, {reference}
      </p>
      <p className="mt-3 flex flex-wrap gap-2">
        <Tag tone={account.transfers === 'active' ? 'neutral' : 'error'}>{accountText(account)}</Tag>
        {missing.length > 0 ? <Tag tone="neutral">Missing: {missing.join(', ')}</Tag> : null}
        {payout ? (
          <Tag tone={payout.state === 'failed' ? 'error' : 'neutral'}>
            Payout of {formatMoney(payout.amountCents)}: {payout.state.replaceAll('_', ' ')}
          </Tag>
        ) : null}
      </p>
      <div className="mt-3 grid gap-3 md:grid-cols-2">
        <StepForm intent="account" about={about} steps={accountSteps(account)} labels={STEP_LABELS.account} />
        <StepForm intent="payout" about={about} steps={payoutSteps(account)} labels={STEP_LABELS.payout} />
      </div>
    </li>
  )
}

function accountText({ isClosed, isRejected, isSubmitted, transfers }: SandboxAccount): string {
  if (isRejected) return 'Refused for good'
  if (isClosed) return 'Closed'
  if (transfers === 'active') return 'Takes transfers'
  if (transfers === 'pending') return 'In review'
  return isSubmitted ? 'Restricted' : 'Not sent yet'
}

function StepForm<Step extends string>({
  intent,
  about,
  steps,
  labels,
}: {
  intent: keyof typeof STEP_LABELS
  /** The field that names what is moved, and its value. */
  about: { payment: string } | { account: string }
  steps: readonly Step[]
  labels: Readonly<Record<Step, string>>
}) {
  const fetcher = useConsoleForm()
  if (steps.length === 0) return null
  return (
    <fetcher.Form method="post" action={href('/sandbox')} className="grid gap-3 rounded-card bg-sunk p-4">
      <input type="hidden" name="intent" value={intent} />
      {Object.entries(about).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {intent === 'saved-card' ? (
        <p className="font-medium">Next charge of the saved card</p>
      ) : (
        <SelectField
          name="webhooks"
          label="Webhooks arrive"
          options={WEBHOOK_CHOICES.map((value) => ({ value, label: WEBHOOK_LABELS[value] }))}
        />
      )}
      <div className="flex flex-wrap gap-3">
        {steps.map((step) => (
          <Button key={step} type="submit" name="step" value={step} waiting={fetcher.state !== 'idle'}>
            {labels[step]}
          </Button>
        ))}
      </div>
      <SendFailure />
    </fetcher.Form>
  )
}
