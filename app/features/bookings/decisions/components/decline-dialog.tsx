import type { FieldErrors } from '../../../../ui/checked-form.ts'
import { DialogForm } from '../../../../ui/dialog-form.tsx'
import { TextAreaField } from '../../../../ui/field.tsx'
import { ModalDialog } from '../../../../ui/modal-dialog.tsx'
import {
  DECLINE_AND_REFUND,
  DECLINE_REASON,
  DECLINE_REASON_HINT,
  declineTitle,
  KEEP_THE_BOOKING,
  MAX_DECLINE_REASON_LENGTH,
  NOT_DECLINED,
} from '../../messages.ts'
import { declineReasonSchema } from '../../schema.ts'

/** Why a decline was refused: messages by field, or one for the whole form. */
export type DeclineRefusal = { errors: FieldErrors | null; problem: string | null }

/**
 * Asks the vendor to confirm that they decline a booking they have approved, and for the reason. The typed reason stays
 * until the decline is stored.
 * @param refusal why the server refused the last try
 * @param onClosed called once the browser has closed the dialog and returned the focus
 */
export function DeclineDialog({
  open,
  customerName,
  consequence,
  warning,
  pending,
  refusal,
  onDecline,
  onClose,
}: {
  open: boolean
  customerName: string
  consequence: string
  /** How declining affects the vendor's listings. */
  warning: string
  pending: boolean
  refusal: DeclineRefusal | null
  onDecline: (reason: string) => void
  onClose: () => void
}) {
  return (
    <ModalDialog open={open} title={declineTitle(customerName)} closeButton={false} onClose={onClose}>
      <p className="mt-3 text-quiet">{consequence}</p>
      <p className="mt-3 mb-5">{warning}</p>
      <DialogForm
        intent="decline"
        schema={declineReasonSchema}
        answered={refusal?.errors ?? null}
        problem={refusal?.problem ?? null}
        problemTitle={NOT_DECLINED}
        submitLabel={DECLINE_AND_REFUND}
        cancelLabel={KEEP_THE_BOOKING}
        danger
        pendingLabel="Declining..."
        pending={pending}
        onChecked={(form) => onDecline(String(form.get('reason') ?? ''))}
        onClose={onClose}
      >
        {({ field }) => (
          <TextAreaField
            label={DECLINE_REASON}
            hint={DECLINE_REASON_HINT}
            maxLength={MAX_DECLINE_REASON_LENGTH}
            {...field('reason')}
          />
        )}
      </DialogForm>
    </ModalDialog>
  )
}
