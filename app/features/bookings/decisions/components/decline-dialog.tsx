import { Button } from '../../../../ui/button.tsx'
import type { FieldErrors } from '../../../../ui/checked-form.ts'
import { DialogForm } from '../../../../ui/dialog-form.tsx'
import { TextAreaField } from '../../../../ui/field.tsx'
import { ModalDialog } from '../../../../ui/modal-dialog.tsx'
import {
  DECLINE_REASON,
  DECLINE_REASON_HINT,
  declineTitle,
  KEEP_THE_BOOKING,
  MAX_DECLINE_REASON_LENGTH,
  NOT_DECLINED,
} from '../../messages.ts'
import { declineReasonSchema, declineWordsSchema } from '../../schema.ts'
import { DECLINE_OPTIONS, DECLINE_WORDS, TAP_TO_DECLINE } from '../messages.ts'

/** Why a decline was refused: messages by field, or one for the whole form. */
export type DeclineRefusal = { errors: FieldErrors | null; problem: string | null }

/** The reasons of a decline as the form holds them. */
export type DeclineForm = { code: string; reason: string }

/**
 * Asks the vendor why they decline a booking: one tap on a reason declines it. The words are optional, unless the booking was
 * approved, and stay until the decline is stored.
 * @param needsWords whether the booking was approved
 * @param warning how declining affects the vendor's listings; null where it doesn't
 * @param refusal why the server refused the last try
 * @param onClosed called once the browser has closed the dialog and returned the focus
 */
export function DeclineDialog({
  open,
  customerName,
  consequence,
  needsWords,
  warning,
  pending,
  refusal,
  onDecline,
  onClose,
}: {
  open: boolean
  customerName: string
  consequence: string
  needsWords: boolean
  warning: string | null
  pending: boolean
  refusal: DeclineRefusal | null
  onDecline: (form: DeclineForm) => void
  onClose: () => void
}) {
  return (
    <ModalDialog open={open} title={declineTitle(customerName)} closeButton={false} onClose={onClose}>
      <p className={`mt-3 text-quiet ${warning === null ? 'mb-5' : ''}`}>{consequence}</p>
      {warning === null ? null : <p className="mt-3 mb-5">{warning}</p>}
      <DialogForm
        intent="decline"
        schema={needsWords ? declineReasonSchema : declineWordsSchema}
        answered={refusal?.errors ?? null}
        problem={refusal?.problem ?? null}
        problemTitle={NOT_DECLINED}
        submitLabel={null}
        cancelLabel={KEEP_THE_BOOKING}
        pendingLabel="Declining..."
        pending={pending}
        onChecked={(form) =>
          onDecline({ code: String(form.get('code') ?? ''), reason: String(form.get('reason') ?? '') })
        }
        onClose={onClose}
      >
        {({ field }) => {
          const words = (
            <TextAreaField
              label={needsWords ? DECLINE_REASON : DECLINE_WORDS}
              optional={!needsWords}
              hint={DECLINE_REASON_HINT}
              maxLength={MAX_DECLINE_REASON_LENGTH}
              {...field('reason')}
            />
          )
          // The first field gets the focus. Words that are optional shouldn't open a phone's keyboard over the reasons.
          return (
            <>
              {needsWords ? words : null}
              <Reasons pending={pending} />
              {needsWords ? null : words}
            </>
          )
        }}
      </DialogForm>
    </ModalDialog>
  )
}

/** The buttons that decline, each with its reason. */
function Reasons({ pending }: { pending: boolean }) {
  return (
    <fieldset>
      <legend className="mb-3 font-semibold">{TAP_TO_DECLINE}</legend>
      <div className="grid grid-cols-2 gap-2.5">
        {DECLINE_OPTIONS.map(({ code, label }) => (
          <Button key={code} type="submit" name="code" value={code} waiting={pending}>
            {label}
          </Button>
        ))}
      </div>
    </fieldset>
  )
}
