import { Form, href, useNavigation } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { AgreementText } from '../components/document-text.tsx'
import {
  ACCEPT_AND_PUBLISH_TEXT,
  ACCEPT_REFUSALS,
  ACCEPT_TEXT,
  ACCEPTING_TEXT,
  AGREEMENT_TITLE,
  acceptedText,
  changedText,
  waitingText,
} from '../messages.ts'
import type { AgreementStanding } from '../rules.ts'
import type { AcceptAnswer } from '../schema.ts'
import type { VendorAgreement } from '../text-queries.server.ts'

/**
 * The vendor agreement with the step that accepts it: for vendors who closed the dialog of the listing form, have no
 * JavaScript, or follow the mail about a change.
 * @param props.until the last day of an accepted earlier version; null if there is none, or its vendor wasn't told yet
 * @param props.waiting how many of the vendor's listings wait for the agreement
 */
export function AgreementScreen({
  agreement,
  state,
  until,
  waiting,
  posted,
}: {
  agreement: VendorAgreement
  state: AgreementStanding['state']
  until: string | null
  waiting: number
  posted: AcceptAnswer | undefined
}) {
  const isSending = useNavigation().state === 'submitting'
  const isAccepted = state === 'accepted'
  return (
    <div className="max-w-column">
      <h1 className="text-3xl md:text-4xl">{AGREEMENT_TITLE}</h1>
      <div className="mt-6 grid gap-5">
        {posted && !posted.ok ? (
          <div className="notice notice-error" role="alert">
            <Icon name="circle-alert" />
            <p>{ACCEPT_REFUSALS[posted.reason]}</p>
          </div>
        ) : null}
        {isAccepted ? (
          <div role="status">
            <Banner
              tone="success"
              action={
                <ButtonLink size="small" to={href('/dashboard/list-business')}>
                  My Listings
                </ButtonLink>
              }
            >
              {acceptedText(posted?.ok ? posted.published : 0)}
            </Banner>
          </div>
        ) : (
          <p className="max-w-prose">{state === 'changed' ? changedText(until) : waitingText(waiting)}</p>
        )}
        <AgreementText agreement={agreement} />
        {isAccepted ? null : (
          <Form method="post" className="flex flex-wrap gap-3">
            <input type="hidden" name="version" value={agreement.version} />
            <Button
              type="submit"
              variant="primary"
              size="large"
              className="grow sm:grow-0"
              pending={isSending}
              pendingText={ACCEPTING_TEXT}
            >
              {waiting > 0 ? ACCEPT_AND_PUBLISH_TEXT : ACCEPT_TEXT}
            </Button>
            <ButtonLink size="large" to={href('/dashboard/list-business')}>
              Back to My Listings
            </ButtonLink>
          </Form>
        )}
      </div>
    </div>
  )
}
