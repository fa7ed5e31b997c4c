import { href, useFetcher } from 'react-router'
import type { Cents } from '../../../shared/money.ts'
import { formatMoney } from '../../../shared/money.ts'
import { Button, ButtonLink, buttonClass } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useAnswer } from '../../../ui/use-answer.ts'
import { OverviewHeading } from '../../bookings/list/components/overview-heading.tsx'
import {
  BRING_BACK,
  backText,
  clockText,
  customerTaskWords,
  LATER,
  laterTitle,
  NOTHING_WAITS,
  SNOOZE_LABELS,
  type TaskWords,
  vendorTaskWords,
  waitingTitle,
} from '../messages.ts'
import { type CustomerTask, hasClock, type VendorTask } from '../rules.ts'
import { type SnoozeChoice, snoozeChoices, snoozeKey } from '../snooze-rules.ts'

/** The response to putting a row off or bringing it back. */
export type DeskAnswer = { ok: boolean; text: string }

/** A vendor's desk, first on My Dashboard. */
export function VendorDesk({
  tasks,
  later,
  contactEmail,
  now,
}: {
  tasks: readonly VendorTask[]
  /** The rows that are put off. */
  later: readonly (VendorTask & { until: string })[]
  /** The address that receives a vendor's proof. */
  contactEmail: string
  /** ISO 8601, UTC. */
  now: string
}) {
  const hasRequests = tasks.some(({ kind }) => kind === 'request')
  const title = waitingTitle(tasks.length)
  return (
    <section id={DESK_ID} tabIndex={-1} className="outline-none" aria-label={title}>
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
          snooze: { row: snoozeKey(task), choices: snoozeChoices(task, new Date(now)) },
        }))}
        now={now}
      />
      <Later tasks={later} />
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
  /** How long the row can be put off; absent where rows can't be. */
  snooze?: { row: string; choices: readonly SnoozeChoice[] }
}

function Tasks({ rows, now }: { rows: readonly Row[]; now: string }) {
  if (rows.length === 0) return null
  return (
    <ul className="border-t border-line">
      {rows.map(({ task, words, to, snooze }, index) => (
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
            {hasClock(task) ? <Clock by={task.by} now={new Date(now)} /> : <span />}
            <Action words={words} to={to} isFirst={index === 0} />
          </div>
          {snooze && snooze.choices.length > 0 ? (
            <Snooze kind={task.kind} row={snooze.row} choices={snooze.choices} title={words.title} />
          ) : null}
        </li>
      ))}
    </ul>
  )
}

/** Puts a row off, folded: most rows are done now. */
function Snooze({
  kind,
  row,
  choices,
  title,
}: {
  kind: string
  row: string
  choices: readonly SnoozeChoice[]
  title: string
}) {
  const fetcher = useDeskFetcher()
  return (
    <details className="col-span-full">
      <summary className="link inline-flex min-h-11 cursor-pointer items-center text-sm">
        {LATER}
        <span className="unseen">: {title}</span>
      </summary>
      <fetcher.Form method="post" className="flex flex-wrap gap-2 pb-1">
        <input type="hidden" name="intent" value="snooze" />
        <input type="hidden" name="kind" value={kind} />
        <input type="hidden" name="row" value={row} />
        {choices.map((choice) => (
          <Button
            key={choice}
            type="submit"
            name="choice"
            value={choice}
            size="small"
            waiting={fetcher.state !== 'idle'}
          >
            {SNOOZE_LABELS[choice]}
          </Button>
        ))}
      </fetcher.Form>
    </details>
  )
}

/** The rows that are put off, folded, each with the way back. */
function Later({ tasks }: { tasks: readonly (VendorTask & { until: string })[] }) {
  const fetcher = useDeskFetcher()
  if (tasks.length === 0) return null
  return (
    <details className="mt-2">
      <summary className="link inline-flex min-h-11 cursor-pointer items-center">
        {laterTitle(tasks.length)}
      </summary>
      <ul>
        {tasks.map((task) => {
          const { title } = vendorTaskWords(task)
          return (
            <li
              key={`${task.kind} ${task.id}`}
              className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-t border-line py-2.5"
            >
              <div className="min-w-0">
                <p className="[overflow-wrap:anywhere]">{title}</p>
                <p className="figures text-sm text-quiet">{backText(task.until, task.timeZone)}</p>
              </div>
              <fetcher.Form method="post">
                <input type="hidden" name="kind" value={task.kind} />
                <input type="hidden" name="row" value={snoozeKey(task)} />
                <Button
                  type="submit"
                  name="intent"
                  value="unsnooze"
                  size="small"
                  waiting={fetcher.state !== 'idle'}
                >
                  {BRING_BACK}
                  <span className="unseen">: {title}</span>
                </Button>
              </fetcher.Form>
            </li>
          )
        })}
      </ul>
    </details>
  )
}

/** A form of the desk, whose answer is a toast. Its row moves, so the focus goes to the desk. */
function useDeskFetcher() {
  const fetcher = useFetcher<DeskAnswer>()
  useAnswer(
    fetcher,
    ({ ok, text }) => {
      showToast({ type: ok ? 'success' : 'error', text })
      if (ok) document.getElementById(DESK_ID)?.focus()
    },
    { isEarly: true },
  )
  return fetcher
}

const DESK_ID = 'desk'

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
