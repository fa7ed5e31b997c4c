import { Icon } from '../../../ui/icon.tsx'
import { ABN_REGISTERED_HINT, ABN_REGISTERED_TEXT } from '../messages.ts'

/** The mark of a vendor who has registered an ABN (Decision 8). */
export function AbnMark() {
  return (
    <span
      className="inline-flex items-center gap-1.5 whitespace-nowrap text-sm font-medium text-brand"
      title={ABN_REGISTERED_HINT}
    >
      <Icon name="badge-check" className="size-4" />
      {ABN_REGISTERED_TEXT}
    </span>
  )
}
