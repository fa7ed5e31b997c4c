import { Link } from 'react-router'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'

export type FirstStep = { done: boolean; title: string; text: string; to: string }

/** The first steps of a new vendor in order, with the finished ones ticked. Renders nothing once all are done. */
export function FirstSteps({ steps }: { steps: readonly FirstStep[] }) {
  const next = steps.findIndex((step) => !step.done)
  if (next < 0) return null
  return (
    <section aria-labelledby="first-steps" className="rounded-card bg-brand-soft p-6 md:p-8">
      <h2 id="first-steps" className="text-xl">
        First steps
      </h2>
      <ol className="mt-5 grid gap-5 sm:grid-cols-2">
        {steps.map((step, index) => (
          <li key={step.title} className="flex gap-4">
            <span
              className={classNames(
                'grid size-8 flex-none place-items-center rounded-full text-sm font-semibold',
                step.done ? 'bg-brand text-on-brand' : 'border border-line-strong bg-surface',
              )}
            >
              {step.done ? <Icon name="check" aria-label="Done" className="size-4" /> : index + 1}
            </span>
            <div className="min-w-0">
              <p className={classNames('font-semibold', step.done && 'text-quiet')}>
                {step.done ? (
                  step.title
                ) : (
                  <Link className={index === next ? 'link' : 'py-1 hover:underline'} to={step.to}>
                    {step.title}
                  </Link>
                )}
              </p>
              <p className="mt-0.5 text-sm text-quiet">{step.text}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
