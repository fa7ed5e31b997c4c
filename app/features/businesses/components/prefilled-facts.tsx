import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import {
  PREFILLED_DROP_TEXT,
  PREFILLED_PUBLISH_TEXT,
  PREFILLED_TEXT,
  PREFILLED_TITLE,
} from '../prefilled-messages.ts'

/** Asks a vendor about facts that our form had once filled in. */
export function PrefilledFacts({
  lines,
  name,
  pending,
  onAnswer,
}: {
  lines: readonly { label: string; text: string }[]
  /** The listing, for the buttons' names. */
  name: string
  pending: boolean
  onAnswer: (isRight: boolean) => void
}) {
  return (
    <Banner tone="glow" title={PREFILLED_TITLE}>
      <ul className="figures my-1">
        {lines.map(({ label, text }) => (
          <li key={label}>
            {label}: {text}
          </li>
        ))}
      </ul>
      <p>{PREFILLED_TEXT}</p>
      <p className="mt-2 flex flex-wrap gap-3">
        <Button
          size="small"
          variant="brand"
          waiting={pending}
          aria-label={`${PREFILLED_PUBLISH_TEXT}, ${name}`}
          onClick={() => onAnswer(true)}
        >
          {PREFILLED_PUBLISH_TEXT}
        </Button>
        <Button
          size="small"
          waiting={pending}
          aria-label={`${PREFILLED_DROP_TEXT}, ${name}`}
          onClick={() => onAnswer(false)}
        >
          {PREFILLED_DROP_TEXT}
        </Button>
      </p>
    </Banner>
  )
}
