import { useEffect, useRef } from 'react'
import { href, Link } from 'react-router'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { useDialogs } from '../../../../ui/dialog.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { ASK_FOR_QUOTE_TEXT } from '../../../businesses/messages.ts'
import { useWayBack } from '../../list/browser/use-way-back.ts'
import { bookTitle, VENDOR_FETCH_ERROR } from '../../messages.ts'

/** The step to a quote, for a business without a price. */
export function PriceOnRequest({ business }: { business: { id: string; name: string } }) {
  return (
    <div className="page page-column section">
      <title>{bookTitle(business.name)}</title>
      <h1>{bookTitle(business.name)}</h1>
      <p className="price mt-6 text-2xl">Price on request</p>
      <p className="lede mt-3">
        {business.name} sets a price for each event. Ask for a quote, and book once it suits you.
      </p>
      <p className="mt-8 flex flex-wrap gap-3">
        <ButtonLink variant="primary" to={href('/business/:id/ask', { id: business.id })}>
          {ASK_FOR_QUOTE_TEXT}
        </ButtonLink>
        <ButtonLink to={href('/business/:id', { id: business.id })}>See {business.name}</ButtonLink>
      </p>
    </div>
  )
}

/** Shows an alert when the screen opens, and not again when it renders again. */
function useAlertOnce(text: string, afterwards?: () => void) {
  const { alert } = useDialogs()
  const shown = useRef(false)
  useEffect(() => {
    if (shown.current) return
    shown.current = true
    void alert(text).then(afterwards)
  }, [alert, afterwards, text])
}

/** Alerts, then goes one page back (Specification, section 2). */
export function AlertAndBack({ text }: { text: string }) {
  useAlertOnce(text, useWayBack())
  return (
    <>
      <title>{text}</title>
      <EmptyState
        heading="h1"
        title={text}
        text="It may no longer be listed, or the address is mistyped."
        action={
          <Link className="link" to={href('/venues-vendors')}>
            See venues and vendors
          </Link>
        }
      />
    </>
  )
}

/** Shown when the vendor could not be loaded, with another try. */
export function BookFailure() {
  useAlertOnce(VENDOR_FETCH_ERROR)
  return (
    <>
      <title>{VENDOR_FETCH_ERROR}</title>
      <EmptyState
        heading="h1"
        title={VENDOR_FETCH_ERROR}
        text="Your details are saved. Check your connection and try again."
        action={
          <Button variant="brand" onClick={() => window.location.reload()}>
            Try again
          </Button>
        }
      />
    </>
  )
}
