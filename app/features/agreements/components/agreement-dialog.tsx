import { useRef } from 'react'
import { href, Link, useFetcher } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { ModalDialog } from '../../../ui/modal-dialog.tsx'
import { useAnswer } from '../../../ui/use-answer.ts'
import { withNext } from '../../accounts/rules.ts'
import {
  ACCEPT_AND_PUBLISH_TEXT,
  ACCEPT_REFUSALS,
  ACCEPTING_TEXT,
  AGREEMENT_DIALOG_TEXT,
  AGREEMENT_DIALOG_TITLE,
  NOT_NOW_TEXT,
} from '../messages.ts'
import type { AcceptAnswer } from '../schema.ts'
import type { VendorAgreement } from '../text-queries.server.ts'
import { AgreementText } from './document-text.tsx'

/**
 * Asks a vendor to accept the agreement, so that the listing that they have just saved becomes public.
 * @param agreement null while the dialog is closed
 * @param onAccepted called once the agreement is accepted and the listing public
 * @param onPostpone called when the vendor closes the dialog without accepting. The listing stays saved
 */
export function AgreementDialog({
  agreement,
  onAccepted,
  onPostpone,
}: {
  agreement: VendorAgreement | null
  onAccepted: () => void
  onPostpone: () => void
}) {
  const fetcher = useFetcher<AcceptAnswer>()
  const pending = fetcher.state !== 'idle'
  const refusal = !pending && fetcher.data && !fetcher.data.ok ? fetcher.data.reason : null
  /** Escape closes a dialog even while the answer is on its way. */
  const wasLeft = useRef(false)
  useAnswer(fetcher, (answer) => {
    if (answer.ok) onAccepted()
    else if (wasLeft.current) onPostpone()
  })
  return (
    <ModalDialog
      open={agreement !== null}
      title={agreement ? AGREEMENT_DIALOG_TITLE : null}
      onClose={() => {
        if (pending) wasLeft.current = true
        // The browser also reports that we have closed it ourselves.
        else if (agreement && !fetcher.data?.ok) onPostpone()
      }}
    >
      {agreement ? (
        <div className="grid gap-4">
          <p>{AGREEMENT_DIALOG_TEXT}</p>
          <AgreementText agreement={agreement} />
          {refusal ? (
            <div className="notice notice-error" role="alert">
              <Icon name="circle-alert" />
              <p>
                {ACCEPT_REFUSALS[refusal]} <NextStep refusal={refusal} />
              </p>
            </div>
          ) : null}
          <div className="dialog-actions mt-0!">
            <Button disabled={pending} onClick={onPostpone}>
              {NOT_NOW_TEXT}
            </Button>
            <Button
              variant="primary"
              pending={pending}
              pendingText={ACCEPTING_TEXT}
              onClick={() => {
                void fetcher.submit(
                  { version: agreement.version },
                  { method: 'post', action: href('/dashboard/agreement') },
                )
              }}
            >
              {ACCEPT_AND_PUBLISH_TEXT}
            </Button>
          </div>
        </div>
      ) : null}
    </ModalDialog>
  )
}

/** The link that solves a refusal. */
function NextStep({ refusal }: { refusal: keyof typeof ACCEPT_REFUSALS }) {
  const page = href('/dashboard/agreement')
  if (refusal === 'signed_out')
    return (
      <Link className="link" to={withNext(href('/login'), page)}>
        Log In
      </Link>
    )
  if (refusal !== 'other_version') return null
  return (
    <Link className="link" to={page}>
      Read the new one
    </Link>
  )
}
