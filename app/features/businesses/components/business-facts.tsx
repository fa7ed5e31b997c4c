import { Icon } from '../../../ui/icon.tsx'
import { RenderedOnce } from '../../../ui/rendered-once.tsx'
import { FACTS_TEXT, type FactLine } from '../fact-messages.ts'

/** The facts of a business's page. Nothing without any. */
export function BusinessFacts({ facts }: { facts: readonly FactLine[] }) {
  if (facts.length === 0) return null
  return (
    <RenderedOnce
      as="section"
      aria-labelledby="at-a-glance"
      sameFor={import.meta.env.SSR && `business at a glance ${JSON.stringify(facts)}`}
    >
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
    </RenderedOnce>
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
