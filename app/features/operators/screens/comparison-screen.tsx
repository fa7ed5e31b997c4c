import { href, Link } from 'react-router'
import { formatInstant } from '../../../shared/dates.ts'
import { Banner } from '../../../ui/banner.tsx'
import type { ComparisonView } from '../comparison-queries.server.ts'
import { OperationForm } from '../components/operation-form.tsx'
import { DIFFERENCE_LABELS, OPERATIONS_ZONE } from '../messages.ts'

/** The newest comparison with the payment provider, and a button to run another. */
export function ComparisonScreen({ comparison }: { comparison: ComparisonView | null }) {
  return (
    <>
      <h1>Comparison with the provider</h1>
      <p className="mt-4 max-w-prose text-quiet">
        Each night we compare the payments of the last five weeks with the payment provider’s records. The
        comparison changes nothing. Payments of the last ten minutes wait for the next one.
      </p>
      <div className="mt-6">
        <OperationForm act="compare" />
      </div>
      <div className="mt-8">
        {comparison ? <Result comparison={comparison} /> : <p>There has been no comparison yet.</p>}
      </div>
    </>
  )
}

function Result({ comparison }: { comparison: ComparisonView }) {
  const { differences, failure, paymentsChecked, startedAt, finishedAt } = comparison
  const when = formatInstant(new Date(startedAt), OPERATIONS_ZONE)
  if (!finishedAt) return <p>The comparison that began on {when} hasn’t finished.</p>
  return (
    <>
      <p className="figures">
        {when}: {paymentsChecked === 1 ? '1 payment' : `${paymentsChecked.toLocaleString('en-AU')} payments`}{' '}
        compared, {differences.length === 1 ? '1 difference' : `${differences.length} differences`}.
      </p>
      {failure ? (
        <div className="mt-4">
          <Banner tone="error" title="The comparison was cut off">
            {failure}
          </Banner>
        </div>
      ) : differences.length === 0 ? (
        <div className="mt-4">
          <Banner tone="success">The provider’s records match ours.</Banner>
        </div>
      ) : null}
      {differences.length > 0 ? (
        <ul className="mt-6 border-t border-line">
          {differences.map((difference) => (
            <li
              key={`${difference.reference}${difference.kind}`}
              className="grid gap-2 border-b border-line py-5"
            >
              <p className="font-semibold">{DIFFERENCE_LABELS[difference.kind]}</p>
              <p className="figures text-sm [overflow-wrap:anywhere]">
                {difference.paymentId ? (
                  <Link className="link" to={href('/operations/payments/:id', { id: difference.paymentId })}>
                    {difference.reference}
                  </Link>
                ) : (
                  difference.reference
                )}
              </p>
              <dl className="figures grid gap-x-8 gap-y-1 text-sm sm:grid-cols-2">
                <div>
                  <dt className="text-quiet">Here</dt>
                  <dd>{difference.ours}</dd>
                </div>
                <div>
                  <dt className="text-quiet">At the provider</dt>
                  <dd>{difference.theirs}</dd>
                </div>
              </dl>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}
