import { type Cents, formatMoney } from '../../../shared/money.ts'
import type { TermsExample } from '../../terms/example-rules.ts'
import {
  EXAMPLE_BACK_TEXT,
  EXAMPLE_COLUMNS,
  EXAMPLE_LABEL,
  EXAMPLE_RECEIVE_TEXT,
  examplePaidText,
  exampleStepText,
} from '../listing-messages.ts'
import './listing-example.css'

/** One booking in the vendor's own price: what is paid when, and what each side has after a cancellation. */
export function ListingExample({
  example,
  shareOf,
}: {
  example: TermsExample
  /** Returns the vendor's share of an amount. Null while vendors aren't paid by us. */
  shareOf: ((cents: Cents) => Cents) | null
}) {
  return (
    <section className="listing-example figures" aria-labelledby="listing-example">
      <p id="listing-example" className="field-label">
        {EXAMPLE_LABEL}
      </p>
      <p aria-live="polite">{examplePaidText(example, shareOf)}</p>
      {/* At 400 % zoom it scrolls by itself. */}
      <div className="overflow-x-auto">
        <table>
          <thead>
            <tr>
              {EXAMPLE_COLUMNS.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
              {shareOf ? <th scope="col">{EXAMPLE_RECEIVE_TEXT}</th> : null}
            </tr>
          </thead>
          <tbody>
            {example.steps.map(({ daysBefore, backCents, keptCents }) => (
              <tr key={daysBefore}>
                <th scope="row">{exampleStepText(daysBefore)}</th>
                <td>{keptCents === 0 ? EXAMPLE_BACK_TEXT : formatMoney(backCents)}</td>
                <td>{formatMoney(keptCents)}</td>
                {shareOf ? <td>{formatMoney(shareOf(keptCents))}</td> : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
