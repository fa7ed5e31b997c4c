import { formatMoney } from '../../../shared/money.ts'
import { Button } from '../../../ui/button.tsx'
import { LoadingText } from '../../../ui/skeleton.tsx'
import type { useInstalment } from '../browser/use-instalment.ts'
import { LOADING_PAYMENT, PROCESSING, payLabel } from '../messages.ts'

type Run = ReturnType<typeof useInstalment>

/** The provider's card form for a payment or another card that was opened, with the consent to saving it. */
export function CardForm({ run, opened }: { run: Run; opened: NonNullable<Run['opened']> }) {
  return (
    <form
      noValidate
      className="mt-8"
      onSubmit={(event) => {
        event.preventDefault()
        run.confirmForm()
      }}
    >
      <div ref={run.cardBox} className="min-h-60" />
      {run.isMounted ? null : <LoadingText>{LOADING_PAYMENT}</LoadingText>}
      {opened.intent === 'setup' ? <p className="figures mt-6 text-sm">{opened.consent}</p> : null}
      <div className="mt-6">
        <Button
          type="submit"
          variant="primary"
          size="large"
          wide
          disabled={!run.isMounted}
          pending={run.isBusy}
          pendingText={PROCESSING}
        >
          {opened.intent === 'open' ? payLabel(formatMoney(opened.amountCents)) : 'Save this card'}
        </Button>
      </div>
    </form>
  )
}

/** The buttons that open a payment: with the saved card, if there is one, or with another. */
export function PayButtons({
  run,
  amount,
  lastFour,
  otherLabel = 'Pay with another card',
}: {
  run: Run
  amount: string
  lastFour: string | null
  otherLabel?: string
}) {
  return (
    <>
      {lastFour ? (
        <Button
          variant="primary"
          pending={run.isBusy}
          pendingText={PROCESSING}
          onClick={run.payWithSavedCard}
        >
          {`${payLabel(amount)} with card ending ${lastFour}`}
        </Button>
      ) : null}
      <Button
        variant={lastFour ? 'secondary' : 'primary'}
        waiting={run.isBusy}
        onClick={run.payWithAnotherCard}
      >
        {otherLabel}
      </Button>
    </>
  )
}
