import { href } from 'react-router'
import type { Cents } from '../../../shared/money.ts'
import { formatMoney } from '../../../shared/money.ts'
import { ButtonLink, buttonClass } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { OverviewHeading } from '../../bookings/list/components/overview-heading.tsx'
import {
  clockText,
  customerTaskWords,
  NOTHING_WAITS,
  type TaskWords,
  vendorTaskWords,
  waitingTitle,
} from '../messages.ts'
import type { CustomerTask, VendorTask } from '../rules.ts'

/** A vendor's desk, first on My Dashboard. */
export function VendorDesk({
  tasks,
  contactEmail,
  now,
}: {
  tasks: readonly VendorTask[]
  /** The address that receives a vendor's proof. */
  contactEmail: string
  /** ISO 8601, UTC. */
  now: string
}) {
  const hasRequests = tasks.some(({ kind }) => kind === 'request')
  const title = waitingTitle(tasks.length)
  return (
    <section aria-label={title}>
      <OverviewHeading
        title={title}
        link={hasRequests ? { to: `${href('/dashboard/bookings')}?status=pending`, label: 'Decide' } : null}
      />
      {tasks.length === 0 ? <p className="text-quiet">{NOTHING_WAITS}</p> : null}
      <Tasks
        rows={tasks.map((task) => ({
          task,
          words: vendorTaskWords(task),
          to: task.to ?? proofMail(task, contactEmail),
        }))}
        now={now}
      />
    </section>
  )
}

/** A customer's desk, first on their overview. */
export function CustomerDesk({ tasks, now }: { tasks: readonly CustomerTask[]; now: string }) {
  const title = waitingTitle(tasks.length)
  return (
    <section aria-label={title}>
      <OverviewHeading title={title} />
      <Tasks rows={tasks.map((task) => ({ task, words: customerTaskWords(task), to: task.to }))} now={now} />
    </section>
  )
}

type Row = {
  task: { id: string; kind: string; by: string | null; cents: Cents | null }
  words: TaskWords
  /** A path, or the address of a mail. */
  to: string
}

function Tasks({ rows, now }: { rows: readonly Row[]; now: string }) {
  if (rows.length === 0) return null
  return (
    <ul className="border-t border-line">
      {rows.map(({ task, words, to }, index) => (
        <li
          key={`${task.kind} ${task.id}`}
          className="grid items-center gap-x-6 gap-y-2.5 border-b border-line py-4 sm:grid-cols-[minmax(0,1fr)_auto]"
        >
          <div className="min-w-0">
            <div className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4">
              <p className="min-w-0 font-semibold [overflow-wrap:anywhere]">{words.title}</p>
              {task.cents === null ? null : <p className="price">{formatMoney(task.cents)}</p>}
            </div>
            <p className="figures line-clamp-2 text-sm text-quiet [overflow-wrap:anywhere]">{words.detail}</p>
          </div>
          <div className="flex items-center justify-between gap-4 sm:w-72">
            <Clock by={task.by} now={new Date(now)} />
            <Action words={words} to={to} isFirst={index === 0} />
          </div>
        </li>
      ))}
    </ul>
  )
}

function Clock({ by, now }: { by: string | null; now: Date }) {
  const { text, isSoon } = clockText({ by }, now)
  return (
    <Tag tone={isSoon ? 'error' : 'glow'} icon={<Icon name="clock" />}>
      {text}
    </Tag>
  )
}

/** The one step of a row. Only the most urgent is the screen's primary one. */
function Action({ words, to, isFirst }: { words: TaskWords; to: string; isFirst: boolean }) {
  const label = (
    <>
      {words.action}
      <span className="unseen">: {words.title}</span>
    </>
  )
  const look = { variant: isFirst ? 'primary' : 'secondary', size: 'small' } as const
  if (to.startsWith('mailto:'))
    return (
      <a className={buttonClass(look)} href={to}>
        {label}
      </a>
    )
  return (
    <ButtonLink {...look} to={to}>
      {label}
    </ButtonLink>
  )
}

/** The mail with a vendor's proof in a dispute. */
function proofMail({ name, business }: VendorTask, contactEmail: string): string {
  return `mailto:${contactEmail}?subject=${encodeURIComponent(`Proof: ${name}, ${business}`)}`
}
