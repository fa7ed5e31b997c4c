import { href, Link } from 'react-router'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'
import type { QrCode } from '../../../ui/qr-code.tsx'
import { FIRST_STEPS } from '../first-step-messages.ts'
import { type FirstStepFacts, type FirstStepKey, firstStepsOf } from '../first-step-rules.ts'
import { SharePage } from './share-page.tsx'

/** The page that a new vendor shares. */
export type SharedPage = { id: string; address: string; qr: QrCode }

/** The screen of each step that has one of its own. */
const STEP_PATHS = {
  list: href('/dashboard/list-business/new'),
  hours: href('/dashboard/availability'),
  payouts: href('/dashboard/payouts/setup'),
  abn: href('/dashboard/register-business'),
  booking: href('/dashboard/bookings'),
} as const satisfies Partial<Record<FirstStepKey, string>>

/** The address of a step's screen. @param from the screen to which setting up payouts leads back */
export function stepPath(key: Exclude<FirstStepKey, 'share'>, from: 'dashboard' | 'listings'): string {
  return key === 'payouts' ? `${STEP_PATHS[key]}?from=${from}` : STEP_PATHS[key]
}

/**
 * The first steps of a new vendor in order, with the finished ones ticked. Renders nothing once all are done.
 * @param page null without a public listing
 */
export function FirstSteps({ facts, page }: { facts: FirstStepFacts; page: SharedPage | null }) {
  const steps = firstStepsOf(facts)
  const next = steps.findIndex(({ isDone }) => !isDone)
  if (next < 0) return null
  return (
    <section aria-labelledby="first-steps" className="rounded-card bg-brand-soft p-6 md:p-8">
      <h2 id="first-steps" className="text-xl">
        First steps
      </h2>
      <ol className="mt-5 grid gap-5 sm:grid-cols-2">
        {steps.map(({ key, isDone }, index) => (
          <li key={key} className="flex gap-4">
            <span
              className={classNames(
                'grid size-8 flex-none place-items-center rounded-full text-sm font-semibold',
                isDone ? 'bg-brand text-on-brand' : 'border border-line-strong bg-surface',
              )}
            >
              {isDone ? <Icon name="check" aria-label="Done" className="size-4" /> : index + 1}
            </span>
            <div className="min-w-0 grow">
              <p className={classNames('font-semibold', isDone && 'text-quiet')}>
                {isDone ? (
                  FIRST_STEPS[key].title
                ) : (
                  <StepTitle stepKey={key} page={page} isNext={index === next} />
                )}
              </p>
              <p className="mt-0.5 text-sm text-quiet">{FIRST_STEPS[key].text}</p>
              {key === 'share' && !isDone && page ? (
                <div className="mt-3">
                  <SharePage address={page.address} qr={page.qr} />
                </div>
              ) : null}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The title of an open step as a link to its screen. There is no page to share before the listing. */
function StepTitle({
  stepKey,
  page,
  isNext,
}: {
  stepKey: FirstStepKey
  page: SharedPage | null
  isNext: boolean
}) {
  const { title } = FIRST_STEPS[stepKey]
  if (stepKey === 'share' && !page) return title
  const to =
    stepKey === 'share' ? href('/business/:id', { id: page?.id ?? '' }) : stepPath(stepKey, 'dashboard')
  return (
    <Link className={isNext ? 'link' : 'py-1 hover:underline'} to={to}>
      {title}
    </Link>
  )
}
