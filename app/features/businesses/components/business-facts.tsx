import {
  Accessibility,
  Armchair,
  Clock,
  Hourglass,
  House,
  Languages,
  type LucideIcon,
  PersonStanding,
  Route,
  Salad,
  SquareParking,
  Trees,
  Users,
  Wine,
} from 'lucide-react'
import { FACTS_TEXT, type FactLine, SETTING_TEXTS } from '../fact-messages.ts'

const ICONS = {
  maxGuests: Users,
  lasts: Clock,
  seated: Armchair,
  standing: PersonStanding,
  minHours: Hourglass,
  setting: Trees,
  stepFree: Accessibility,
  parking: SquareParking,
  byo: Wine,
  dietary: Salad,
  languages: Languages,
  travelKm: Route,
} as const satisfies Record<FactLine['name'], LucideIcon>

/** Trees mean outdoors, at least as well. */
function iconOf(name: FactLine['name'], text: string): LucideIcon {
  return text === SETTING_TEXTS.indoor ? House : ICONS[name]
}

/** The facts of a business's page. Nothing without any. */
export function BusinessFacts({ facts }: { facts: readonly FactLine[] }) {
  if (facts.length === 0) return null
  return (
    <section aria-labelledby="at-a-glance">
      <h2 id="at-a-glance" className="text-2xl">
        {FACTS_TEXT}
      </h2>
      <dl className="business-facts">
        {facts.map(({ name, label, text }) => {
          const Icon = iconOf(name, text)
          return (
            <div key={name}>
              <Icon aria-hidden="true" />
              <dt>{label}</dt>
              <dd className="figures">{text}</dd>
            </div>
          )
        })}
      </dl>
    </section>
  )
}

/** The facts of a card, in one line where they fit. */
export function CardFacts({ facts }: { facts: readonly Pick<FactLine, 'name' | 'text'>[] }) {
  if (facts.length === 0) return null
  return (
    <ul className="card-facts figures">
      {facts.map(({ name, text }) => {
        const Icon = iconOf(name, text)
        return (
          <li key={name}>
            <Icon aria-hidden="true" />
            {text}
          </li>
        )
      })}
    </ul>
  )
}
