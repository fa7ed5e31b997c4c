import { Icon } from '../../../ui/icon.tsx'
import { RenderedOnce } from '../../../ui/rendered-once.tsx'
import { FACTS_TEXT, type FactLine } from '../fact-messages.ts'

type Facts = { facts: readonly FactLine[] }

/** The facts of a business's page. Nothing without any. */
export function BusinessFacts({ facts }: Facts) {
  if (facts.length === 0) return null
  return <RenderedOnce as="section" aria-labelledby="at-a-glance" inside={FactList} data={{ facts }} />
}

function FactList({ facts }: Facts) {
  return (
    <>
      <h2 id="at-a-glance" className="text-2xl">
        {FACTS_TEXT}
      </h2>
      <dl className="business-facts">
        {facts.map(({ icon, label, text }) => (
          <div key={label}>
            <Icon name={icon} />
            <dt>{label}</dt>
            <dd className="figures">{text}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

/** The facts of a card, in one line where they fit. */
export function CardFacts({ facts }: { facts: readonly Pick<FactLine, 'icon' | 'text'>[] }) {
  if (facts.length === 0) return null
  return (
    <ul className="card-facts figures">
      {facts.map(({ icon, text }) => (
        <li key={icon}>
          <Icon name={icon} />
          {text}
        </li>
      ))}
    </ul>
  )
}
