import type { ReactNode } from 'react'
import type { ActName } from '../act-rules.ts'
import { OperationForm } from './operation-form.tsx'

/**
 * An order that waits for a second person, with the buttons to decide about it.
 * @param props.confirm left out for the operator's own order, which another person confirms
 */
export function OrderNote({
  id,
  hint,
  confirm,
  drop,
  children,
}: {
  id: string
  hint: ReactNode
  confirm: { act: ActName; label?: string } | null
  drop: ActName
  children: ReactNode
}) {
  return (
    <div className="notice">
      <div className="col-span-full grid gap-3">
        <p className="wrap-anywhere">{children}</p>
        <p className="figures text-sm text-quiet">{hint}</p>
        <div className="flex flex-wrap gap-3">
          {confirm ? <OperationForm id={id} {...confirm} /> : null}
          <OperationForm act={drop} id={id} />
        </div>
      </div>
    </div>
  )
}
