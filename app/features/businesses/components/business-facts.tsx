import { Icon } from '../../../ui/icon.tsx'
import type { IconName } from '../../../ui/icon-names.ts'
import { RenderedOnce } from '../../../ui/rendered-once.tsx'
import { FACTS_TEXT, type FactLine, SETTING_TEXTS } from '../fact-messages.ts'

const ICONS = {
  maxGuests: 'users',
  lasts: 'clock',
  seated: 'armchair',
  standing: 'person-standing',
  minHours: 'hourglass',
  setting: 'trees',
  stepFree: 'accessibility',
  parking: 'square-parking',
  byo: 'wine',
  dietary: 'salad',
  languages: 'languages',
  travelKm: 'route',
} as const satisfies Record<FactLine['name'], IconName>

/** Trees mean outdoors, at least as well. */
function iconOf(name: FactLine['name'], text: string): IconName {
  return text === SETTING_TEXTS.indoor ? 'house' : ICONS[name]
}

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
        {facts.map(({ name, label, text }) => {
          const icon = iconOf(name, text)
          return (
            <div key={name}>
              <Icon name={icon} />
              <dt>{label}</dt>
              <dd className="figures">{text}</dd>
            </div>
          )
        })}
      </dl>
    </RenderedOnce>
  )
}

/** The facts of a card, in one line where they fit. */
export function CardFacts({ facts }: { facts: readonly Pick<FactLine, 'name' | 'text'>[] }) {
  if (facts.length === 0) return null
  return (
    <ul className="card-facts figures">
      {facts.map(({ name, text }) => {
        const icon = iconOf(name, text)
        return (
          <li key={name}>
            <Icon name={icon} />
            {text}
          </li>
        )
      })}
    </ul>
  )
}
