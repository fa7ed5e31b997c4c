import { formatMoney } from '../../../shared/money.ts'
import { lineCents } from '../../pricing/line-rules.ts'
import { type QuoteLine, totalOf } from '../rules.ts'
import './quote-lines.css'

/**
 * The lines of a quote with their total, as a table.
 * @param taken the ids of the optional lines that count; null until some can be taken
 * @param onTake makes the optional lines checkboxes
 */
export function QuoteLines({
  lines,
  taken,
  onTake,
}: {
  lines: readonly QuoteLine[]
  taken: readonly string[] | null
  onTake?: (id: string, isTaken: boolean) => void
}) {
  const counted = taken ?? []
  return (
    <table className="quote-lines figures">
      <caption className="unseen">Lines of the quote</caption>
      <thead className="unseen">
        <tr>
          <th scope="col">What</th>
          <th scope="col">Price</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => {
          const isTaken = !line.isOptional || counted.includes(line.id)
          return (
            <tr key={line.id} data-left-out={!isTaken || undefined}>
              <th scope="row">
                {line.isOptional && onTake ? (
                  <label className="choice quote-choice">
                    <input
                      type="checkbox"
                      name="line"
                      value={line.id}
                      defaultChecked={isTaken}
                      onChange={(event) => onTake(line.id, event.currentTarget.checked)}
                    />
                    <LineName line={line} isLeftOut={false} />
                  </label>
                ) : (
                  <LineName line={line} isLeftOut={taken !== null && !isTaken} />
                )}
              </th>
              <td>{formatMoney(lineCents(line))}</td>
            </tr>
          )
        })}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">
            Total
            <span className="quote-detail">Australian dollars, GST included where it applies</span>
          </th>
          <td aria-live="polite">
            {taken === null && lines.some(({ isOptional }) => isOptional) ? (
              <span className="block text-base">from </span>
            ) : null}
            <span className="price text-2xl">{formatMoney(totalOf(lines, counted))}</span>
          </td>
        </tr>
      </tfoot>
    </table>
  )
}

function LineName({ line, isLeftOut }: { line: QuoteLine; isLeftOut: boolean }) {
  const details = [
    line.quantity > 1
      ? `${line.quantity.toLocaleString('en-AU')} × ${formatMoney(line.unitPriceCents)}`
      : null,
    line.isOptional ? 'Optional' : null,
    isLeftOut ? 'left out' : null,
  ].filter(Boolean)
  return (
    <span>
      <span className="quote-label">{line.label}</span>
      {details.length > 0 ? <span className="quote-detail">{details.join(', ')}</span> : null}
    </span>
  )
}
