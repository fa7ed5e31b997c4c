import { href, useFetcher, useRevalidator } from 'react-router'
import { formatInstant } from '../../../../shared/dates.ts'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { showToast } from '../../../../ui/toast.tsx'
import { useAnswer } from '../../../../ui/use-answer.ts'
import type { VendorBooking } from '../../rules.ts'
import {
  answerByText,
  CHANGE_REFUSALS,
  changeAnswers,
  changeMoneyLines,
  freeUntilText,
  PROPOSE_CHANGE,
  payByText,
  TAKE_BACK,
  WHAT_CHANGES,
  waitsForText,
} from '../messages.ts'
import type { ChangeProblem } from '../queries.server.ts'
import type { ChangeView } from '../rules.ts'
import { ChangeFacts } from './change-facts.tsx'

/** The server's answer to a button of a change, in words, with the form's problem if there is one. */
export type ChangeAnswer = { ok: boolean; text: string; problem?: ChangeProblem }

/** A booking's open change for its vendor, to answer in the list. */
export function ChangeNote({ booking, onAnswered }: { booking: VendorBooking; onAnswered: () => void }) {
  const { change, canChange } = booking
  if (!canChange || !change) return null
  return <OpenNote booking={booking} change={change} onAnswered={onAnswered} />
}

/** Whether the vendor can propose a change: while none is open. */
export function canPropose({ change, canChange }: Pick<VendorBooking, 'change' | 'canChange'>): boolean {
  return canChange && !change
}

/** The vendor's way to propose a change. Renders nothing where they can't. */
export function ProposeChangeLink({ booking }: { booking: VendorBooking }) {
  if (!canPropose(booking)) return null
  return (
    <ButtonLink to={changePath(booking.id)} className="grow sm:grow-0">
      {PROPOSE_CHANGE}
    </ButtonLink>
  )
}

const changePath = (id: string) => href('/bookings/:linkToken/change', { linkToken: id })

function OpenNote({
  booking,
  change,
  onAnswered,
}: {
  booking: VendorBooking
  change: ChangeView
  onAnswered: () => void
}) {
  const fetcher = useFetcher<ChangeAnswer>()
  const { revalidate } = useRevalidator()
  useAnswer(fetcher, (answer) => {
    // React Router doesn't revalidate after a response with a status of 400 or more.
    if (answer.ok) onAnswered()
    else void revalidate()
    showToast({
      type: answer.ok ? 'success' : 'error',
      text: answer.text,
    })
  })
  const { listed, timeZone, stored } = booking
  const action = changePath(booking.id)
  const isOwn = change.proposedBy === 'vendor'
  const answers = changeAnswers(change, stored)
  const until = formatInstant(new Date(change.expiresAt), timeZone)
  const wanted = fetcher.formData?.get('intent')
  const send = (intent: 'agree' | 'decline') =>
    void fetcher.submit(
      { intent, changeId: change.id, ...(intent === 'agree' ? { shown: change.shown } : {}) },
      { method: 'post', action },
    )
  return (
    <section aria-label={WHAT_CHANGES} className="mt-4 rounded-card border border-line bg-surface p-4">
      <p className="font-semibold">
        {change.isAgreed
          ? payByText('vendor', until)
          : isOwn
            ? waitsForText(listed.name, until)
            : answerByText(listed.name, until)}
      </p>
      <ChangeFacts change={change} timeZone={timeZone} bookingType={stored.bookingType} />
      {change.plan ? (
        <ul className="figures mt-4 grid max-w-prose gap-1 text-sm">
          {changeMoneyLines(
            { ...change, ...change.plan },
            { timeZone, reader: 'vendor', customer: listed.name, answers: !isOwn, isAgreed: change.isAgreed },
          ).map((line) => (
            <li key={line}>{line}</li>
          ))}
          <li>{freeUntilText(change.freeUntil, { timeZone, reader: 'vendor' })}</li>
        </ul>
      ) : (
        <p className="mt-4 text-sm">{CHANGE_REFUSALS.balance_unpaid}</p>
      )}
      {change.isAgreed ? null : (
        <div className="mt-4 flex flex-wrap gap-3">
          {isOwn || !change.plan ? null : (
            <Button
              variant="brand"
              pending={wanted === 'agree'}
              pendingText="Agreeing..."
              waiting={fetcher.state !== 'idle'}
              onClick={() => send('agree')}
            >
              {answers.agree}
            </Button>
          )}
          <Button
            pending={wanted === 'decline'}
            pendingText="Ending..."
            waiting={fetcher.state !== 'idle'}
            onClick={() => send('decline')}
          >
            {isOwn ? TAKE_BACK : answers.keep}
          </Button>
        </div>
      )}
    </section>
  )
}
