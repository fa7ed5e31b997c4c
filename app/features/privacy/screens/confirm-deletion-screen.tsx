import { Form, href, useNavigation } from 'react-router'
import { formatMoney } from '../../../shared/money.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'
import type { AccountResult } from '../../accounts/components/account-form.tsx'
import { AccountForm } from '../../accounts/components/account-form.tsx'
import { type ProofAsked, proofFields } from '../../accounts/components/proof-fields.tsx'
import { confirmPasswordSchema, proofSchema } from '../../accounts/schema.ts'
import { ADD_DETAILS, DETAILS_BEFORE_DELETION, KEPT_AFTER_DELETION } from '../../income-reports/messages.ts'
import type { OpenMoney } from '../../payouts/queries.server.ts'
import { LastAdminNote } from '../components/last-admin-note.tsx'
import { OpenBookingList } from '../components/open-booking-list.tsx'
import { OPEN_MONEY_TEXTS } from '../messages.ts'
import type { OpenBooking } from '../rules.ts'

/** The screen that deletes the account, once none of its businesses has an open booking. */
export function ConfirmDeletionScreen({
  loaderData: { openBookings, openMoney, hasTraded, lacksDetails, proofAsked, isLastAdmin },
  actionData,
}: {
  loaderData: {
    openBookings: readonly OpenBooking[]
    openMoney: OpenMoney | null
    /** Whether customers have paid for its bookings. */
    hasTraded: boolean
    /** Whether the reports to the Tax Office lack details of them. */
    lacksDetails: boolean
    isLastAdmin: boolean
    proofAsked: ProofAsked
  }
  actionData:
    | { message: string | null; result: AccountResult; isLastAdmin?: boolean; refusal?: string | null }
    | undefined
}) {
  return (
    <div className="max-w-prose">
      <h1 className="text-3xl md:text-4xl">Delete your account?</h1>
      <p className="mt-4">
        This permanently deletes your account, your businesses, files, notifications and newsletter entry. You
        can’t get them back.
      </p>
      <p className="mt-3 text-quiet">
        We keep the booking records that the law requires, and remove your name, email and phone from them
        once they are over. Invoices stay as they are, with the buyer’s name from $1,000.00. Bookings you have
        made stay valid: use the links in our emails to find them.
      </p>
      {hasTraded ? <p className="mt-3 text-quiet">{KEPT_AFTER_DELETION}</p> : null}
      {actionData?.message ? (
        <div className="mt-6" role="status">
          <Banner tone="success">{actionData.message}</Banner>
        </div>
      ) : null}
      {actionData?.refusal ? (
        <div className="mt-6" role="alert">
          <Banner tone="error">{actionData.refusal}</Banner>
        </div>
      ) : null}
      {isLastAdmin || actionData?.isLastAdmin ? (
        <LastAdminNote />
      ) : openBookings.length > 0 ? (
        <OpenBookings bookings={openBookings} />
      ) : openMoney ? (
        <OpenMoneyNotes money={openMoney} />
      ) : lacksDetails ? (
        <MissingDetails />
      ) : (
        <DeleteForm proofAsked={proofAsked} result={actionData?.result} />
      )}
    </div>
  )
}

/** The open bookings that have to end first, with the button that declines and refunds them all. */
function OpenBookings({ bookings }: { bookings: readonly OpenBooking[] }) {
  const navigation = useNavigation()
  return (
    <section className="mt-8" aria-labelledby="open-bookings">
      <h2 id="open-bookings" className="text-xl">
        {bookings.length === 1 ? 'One booking is still open' : `${bookings.length} bookings are still open`}
      </h2>
      <p className="mt-2">
        Your customers have paid, and their event is still ahead. Do your part first, or decline and refund
        them all now.
      </p>
      <OpenBookingList bookings={bookings} />
      <Form method="post" className="mt-6 flex flex-wrap gap-3">
        <Button
          type="submit"
          name="intent"
          value="decline"
          variant="danger"
          pending={navigation.formData?.get('intent') === 'decline'}
          pendingText="Declining..."
        >
          {bookings.length === 1 ? 'Decline and refund it' : `Decline and refund all ${bookings.length}`}
        </Button>
        <ButtonLink to={href('/dashboard/bookings')} variant="quiet">
          See my bookings
        </ButtonLink>
        <SendFailure />
      </Form>
    </section>
  )
}

/** The money of the account's bookings that is still held, or owed to us, and has to be settled first. */
function OpenMoneyNotes({ money }: { money: OpenMoney }) {
  return (
    <section className="mt-8 grid gap-3" aria-label="Money from your bookings">
      {money.heldCents > 0 ? (
        <Banner tone="info">{OPEN_MONEY_TEXTS.held(formatMoney(money.heldCents))}</Banner>
      ) : null}
      {money.owedCents > 0 ? (
        <Banner tone="info">{OPEN_MONEY_TEXTS.owed(formatMoney(money.owedCents))}</Banner>
      ) : null}
      <ButtonLink to={href('/settings-privacy')} variant="quiet">
        Keep my account
      </ButtonLink>
    </section>
  )
}

/** The details that the reports lack, which nobody could ask for once the account is gone. */
function MissingDetails() {
  return (
    <section className="mt-8 grid gap-3" aria-label="Details for the Tax Office">
      <Banner tone="info">{DETAILS_BEFORE_DELETION}</Banner>
      <ButtonLink to={`${href('/dashboard/payouts')}#tax-office`}>{ADD_DETAILS}</ButtonLink>
      <ButtonLink to={href('/settings-privacy')} variant="quiet">
        Keep my account
      </ButtonLink>
    </section>
  )
}

/** The deletion itself, with the proof that it asks for. */
function DeleteForm({ proofAsked, result }: { proofAsked: ProofAsked; result: AccountResult }) {
  const proof = proofFields(proofAsked, result, 'This stops anyone else from deleting your account.')
  return (
    <section className="mt-8 border-line border-t pt-8" aria-label="Delete my account">
      <AccountForm
        intent="delete"
        variant="danger"
        schema={proofAsked ? proofSchema : confirmPasswordSchema}
        lastResult={result}
        step="delete-account"
        submitLabel="Delete my account"
        pendingLabel="Deleting..."
        fields={proof.fields}
      >
        {proof.children}
      </AccountForm>
      <p className="mt-5 text-sm">
        <ButtonLink to={href('/settings-privacy')} variant="quiet">
          Keep my account
        </ButtonLink>
      </p>
    </section>
  )
}
