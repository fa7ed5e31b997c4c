import type { SubmissionResult } from '@conform-to/react'
import { useCallback, useEffect, useState } from 'react'
import { href, Link, useFetcher, useNavigate } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { CONNECTION_FAILED_TEXT } from '../../../ui/connection.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { useAnswer } from '../../../ui/use-answer.ts'
import { useLeaveWarning } from '../../../ui/use-leave-warning.ts'
import { TOO_MANY_WRITES_TEXT } from '../../accounts/messages.ts'
import { withNext } from '../../accounts/rules.ts'
import { AgreementDialog } from '../../agreements/components/agreement-dialog.tsx'
import type { VendorAgreement } from '../../agreements/text-queries.server.ts'
import { handOffListed } from '../browser/listed-handoff.ts'
import { useListingDraft } from '../browser/use-listing-draft.ts'
import type { ListingRefusal } from '../commands.server.ts'
import { ListingForm, type ListingPayouts } from '../components/listing-form.tsx'
import { ListingLoggedOut } from '../components/listing-logged-out.tsx'
import {
  EDIT_LISTING_TITLE,
  LISTED_TEXT,
  LISTING_CHANGED_MEANWHILE_TEXT,
  LISTING_CHANGED_TEXT,
  LISTING_CLOSES_AFTER_MS,
  LISTING_TOAST_LIFE_MS,
  LISTING_WAITS_TEXT,
  LOG_IN_TO_LIST_TEXT,
  NEW_LISTING_TITLE,
  READ_AND_ACCEPT_TEXT,
  SEE_PAGE_TEXT,
  SUBMIT_FAILED_TEXT,
  WAITING_TEXT,
} from '../listing-messages.ts'
import { BUSINESS_NOT_FOUND_TEXT } from '../messages.ts'
import type { OwnListing } from '../owner-queries.server.ts'

export type ListingFormRefusal =
  | ListingRefusal
  | 'invalid_fields'
  | 'signed_out'
  | 'too_often'
  | 'not_reached'
  | 'failed'

/** The answer to the form. */
export type ListingAnswer =
  | {
      ok: true
      id: string
      /** The agreement to accept before the listing becomes public; null if it is public. */
      agreement: VendorAgreement | null
    }
  | {
      ok: false
      reason: ListingFormRefusal
      result: SubmissionResult | undefined
      version?: string | undefined
    }

/** The texts of refusals that concern the whole form. null for those that a field shows. */
const PROBLEMS = {
  not_found: SUBMIT_FAILED_TEXT,
  not_reached: `${SUBMIT_FAILED_TEXT} ${CONNECTION_FAILED_TEXT}`,
  failed: SUBMIT_FAILED_TEXT,
  signed_out: LOG_IN_TO_LIST_TEXT,
  changed_meanwhile: LISTING_CHANGED_MEANWHILE_TEXT,
  too_often: TOO_MANY_WRITES_TEXT,
  too_many_listings: null,
  invalid_fields: null,
  unknown_place: null,
  ambiguous_place: null,
  too_many_images: null,
  unknown_image: null,
} as const satisfies Record<ListingFormRefusal, string | null>

const formPath = (id: string | undefined) =>
  id ? href('/dashboard/list-business/:id/edit', { id }) : href('/dashboard/list-business/new')

type Shown =
  | { screen: 'logged-out' }
  | { screen: 'not-found' }
  /** `listing` is null on the form of a new listing. */
  | { screen: 'form'; userId: string; listing: OwnListing | null }

/**
 * The form of a new listing, or of a listing to edit (Specification, section 2).
 * @param posted the answer to a form that was posted without JavaScript
 * @param id the listing to edit, or undefined for a new one
 * @param payouts what the vendor gets, and when; null while vendors aren't paid by us
 */
export function ListingFormScreen({
  shown,
  posted,
  id,
  payouts,
}: {
  shown: Shown
  posted: ListingAnswer | undefined
  id: string | undefined
  payouts: ListingPayouts | null
}) {
  if (shown.screen === 'logged-out') return <ListingLoggedOut next={formPath(id)} />
  if (shown.screen === 'not-found') {
    return (
      <EmptyState
        text={BUSINESS_NOT_FOUND_TEXT}
        action={<ButtonLink to={href('/dashboard/list-business')}>Back to My Listings</ButtonLink>}
      />
    )
  }
  const { userId, listing } = shown
  if (posted?.ok) return <Saved isNew={!listing} id={posted.id} isWaiting={posted.agreement !== null} />
  return (
    <ListingEditor key={id ?? 'new'} userId={userId} listing={listing} posted={posted} payouts={payouts} />
  )
}

/** The answer to a form that was posted without JavaScript, and was saved. */
function Saved({ isNew, id, isWaiting }: { isNew: boolean; id: string; isWaiting: boolean }) {
  return (
    <EmptyState
      text={isWaiting ? `${LISTING_WAITS_TEXT} ${WAITING_TEXT}` : isNew ? LISTED_TEXT : LISTING_CHANGED_TEXT}
      action={
        <div className="flex flex-wrap justify-center gap-3">
          {isWaiting ? (
            <ButtonLink variant="primary" to={href('/dashboard/agreement')}>
              {READ_AND_ACCEPT_TEXT}
            </ButtonLink>
          ) : (
            <ButtonLink variant="primary" to={href('/business/:id', { id })}>
              {SEE_PAGE_TEXT}
            </ButtonLink>
          )}
          <ButtonLink to={href('/dashboard/list-business')}>Back to My Listings</ButtonLink>
        </div>
      }
    />
  )
}

type Editing = {
  userId: string
  listing: OwnListing | null
  posted: ListingAnswer | undefined
  payouts: ListingPayouts | null
}

function ListingEditor({ userId, listing, posted, payouts }: Editing) {
  const { start, keyFor, unsaved, startAgain, keep, forget, renewKey } = useListingDraft({
    userId,
    listing,
    refused: posted && !posted.ok ? posted.result : undefined,
  })
  const [closing, setClosing] = useState(false)
  const fetcher = useFetcher<ListingAnswer>()
  const navigate = useNavigate()
  const toast = useToast()

  /** The agreement in the dialog, which opens once the listing is saved. */
  const [agreement, setAgreement] = useState<VendorAgreement | null>(null)
  const isSaved = closing || agreement !== null
  const allowLeaving = useLeaveWarning(unsaved && !isSaved, {
    title: 'Leave without saving?',
    body: listing
      ? 'Your changes stay in this tab, so you can come back to them. Customers still see the old listing.'
      : 'What you filled in stays in this tab, so you can come back to it. Nothing is listed yet.',
    confirmLabel: 'Leave',
    cancelLabel: 'Stay here',
  })
  const [listedId, setListedId] = useState<string | null>(null)
  const close = useCallback(() => {
    allowLeaving()
    void navigate(href('/dashboard/list-business'), {
      replace: true,
      ...(listedId ? { state: handOffListed(listedId) } : {}),
    })
  }, [allowLeaving, navigate, listedId])

  const finish = (text: string) => {
    setAgreement(null)
    setClosing(true)
    toast({ type: 'success', text, lifeMs: LISTING_TOAST_LIFE_MS })
  }
  const answer = fetcher.data ?? posted
  useAnswer(fetcher, (saved) => {
    if (!saved.ok) {
      // The listing that this form published before was deleted since. The next press publishes another.
      if (!listing && saved.reason === 'not_found') renewKey()
      return
    }
    if (!listing) setListedId(saved.id)
    forget()
    if (saved.agreement) setAgreement(saved.agreement)
    else finish(listing ? LISTING_CHANGED_TEXT : LISTED_TEXT)
  })
  useEffect(() => {
    if (!closing) return
    const timer = setTimeout(close, LISTING_CLOSES_AFTER_MS)
    return () => clearTimeout(timer)
  }, [closing, close])

  const pending = fetcher.state !== 'idle'
  return (
    <div className="max-w-column">
      <h1 className="text-3xl md:text-4xl">{listing ? EDIT_LISTING_TITLE : NEW_LISTING_TITLE}</h1>
      {start.isRestored ? <RestoredBanner isNew={!listing} onStartAgain={startAgain} /> : null}
      <div className="mt-8">
        <ListingForm
          key={start.isRestored ? 'restored' : 'fresh'}
          start={start.draft}
          unpricedUnit={listing?.unpricedUnit ?? null}
          submitLabel={listing ? 'Update' : 'Submit'}
          lastResult={answer && !answer.ok ? answer.result : undefined}
          problem={
            pending || !answer || answer.ok || !PROBLEMS[answer.reason] ? null : (
              <Problem
                refusal={answer}
                id={listing?.id}
                onShowSaved={() => {
                  forget()
                  allowLeaving()
                }}
              />
            )
          }
          pending={pending}
          closing={isSaved}
          payouts={payouts}
          onTyped={(draft) => {
            if (!isSaved) keep(draft)
          }}
          onSubmit={(form) => {
            if (!listing) form.set('submitKey', keyFor(String(form.get('name'))))
            void fetcher.submit(form, { method: 'post' })
          }}
          // The draft stays stored, so that pressing Cancel instead of Submit doesn't cost an hour's work.
          onCancel={close}
        />
      </div>
      <AgreementDialog
        agreement={agreement}
        onAccepted={() => finish(LISTED_TEXT)}
        onPostpone={() => finish(LISTING_WAITS_TEXT)}
      />
    </div>
  )
}

/** Says that the form has an earlier draft, and offers to leave it. */
function RestoredBanner({ isNew, onStartAgain }: { isNew: boolean; onStartAgain: () => void }) {
  return (
    <div className="mt-5">
      <Banner
        action={
          <Button size="small" onClick={onStartAgain}>
            {isNew ? 'Start again' : 'Discard it'}
          </Button>
        }
      >
        <p role="status">We kept what you typed earlier. It isn’t saved yet.</p>
      </Banner>
    </div>
  )
}

/** An error about the whole form. After signing in again, the user finds the form as it was. */
function Problem({
  refusal: { reason, version },
  id,
  onShowSaved,
}: {
  refusal: Extract<ListingAnswer, { ok: false }>
  id: string | undefined
  onShowSaved: () => void
}) {
  if (reason === 'changed_meanwhile') {
    return (
      <>
        {PROBLEMS[reason]}
        <span className="mt-3 flex flex-wrap gap-3">
          {/* Enter in a field presses the form's first button. It mustn't replace the other changes. */}
          <button type="submit" hidden />
          <Button type="submit" size="small" name="anyway" value={version}>
            Save mine instead
          </Button>
          <ButtonLink
            size="small"
            variant="quiet"
            to={id ? formPath(id) : href('/dashboard/list-business')}
            // The loaded listing is the old one.
            reloadDocument
            onClick={onShowSaved}
          >
            Show saved listing
          </ButtonLink>
        </span>
      </>
    )
  }
  if (reason !== 'signed_out') return PROBLEMS[reason]
  return (
    <>
      {PROBLEMS[reason]}{' '}
      <Link className="link" to={withNext(href('/login'), formPath(id))}>
        Log In
      </Link>
    </>
  )
}
