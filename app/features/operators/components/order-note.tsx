import type { ComponentProps, ReactNode } from 'react'
import { OperationForm } from './operation-form.tsx'

type Button = Pick<ComponentProps<typeof OperationForm>, 'intent' | 'label' | 'pendingLabel' | 'variant'>

/**
 * An order that waits for a second person, with the buttons to decide about it.
 * @param props.confirm left out for the operator's own order, which another person confirms
 */
export function OrderNote({
  id,
  hint,
  confirm,
  dropIntent,
  dropLabel = 'Drop',
  children,
}: {
  id: string
  hint: ReactNode
  confirm: Button | null
  dropIntent: Button['intent']
  dropLabel?: 'Drop' | 'Withdraw'
  children: ReactNode
}) {
  return (
    <div className="notice">
      <div className="col-span-full grid gap-3">
        <p className="wrap-anywhere">{children}</p>
        <p className="figures text-sm text-quiet">{hint}</p>
        <div className="flex flex-wrap gap-3">
          {confirm ? <OperationForm id={id} {...confirm} /> : null}
          <OperationForm
            intent={dropIntent}
            id={id}
            label={dropLabel}
            pendingLabel={dropLabel === 'Drop' ? 'Dropping...' : 'Withdrawing...'}
            variant="quiet"
          />
        </div>
      </div>
    </div>
  )
}
