import type { ComponentProps } from 'react'
import { TaxBlock } from '../components/tax-block.tsx'

/** A vendor's tax documents where vendors aren't paid by us (PAYOUTS=off): elsewhere they stand on Payouts. */
export function TaxScreen(props: ComponentProps<typeof TaxBlock>) {
  return <TaxBlock {...props} isWholeScreen />
}
