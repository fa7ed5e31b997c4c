import { formatMoney } from '../../../shared/money.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { DO_FIRST, dueText, NOTHING_FIRST, taskCountText, taskWords } from '../task-messages.ts'
import type { OperatorTask } from '../task-rules.ts'
import { RowActions } from './list-rows.tsx'
import { OperationForm } from './operation-form.tsx'

/** The list 'Do first', in the order in which its tasks are due. */
export function FirstTasks({
  tasks,
  ownId,
  now,
}: {
  tasks: readonly OperatorTask[]
  /** The account of the operator who looks. */
  ownId: string
  now: Date
}) {
  return (
    <section aria-labelledby="do-first" className="mt-6">
      <h2 id="do-first" className="text-xl">
        {DO_FIRST}{' '}
        {tasks.length > 0 ? (
          <span className="figures text-base text-quiet">{taskCountText(tasks.length)}</span>
        ) : null}
      </h2>
      {tasks.length === 0 ? (
        <p className="mt-2 text-quiet">{NOTHING_FIRST}</p>
      ) : (
        <ol className="mt-4 border-t border-line">
          {tasks.map((task, index) => (
            <Task key={task.key} task={task} ownId={ownId} now={now} isFirst={index === 0} />
          ))}
        </ol>
      )}
    </section>
  )
}

function Task({
  task,
  ownId,
  now,
  isFirst,
}: {
  task: OperatorTask
  ownId: string
  now: Date
  isFirst: boolean
}) {
  const words = taskWords(task)
  const due = dueText(task, now)
  return (
    <li className="border-b border-line py-4">
      <div className="grid items-center gap-x-6 gap-y-2.5 lg:grid-cols-[minmax(0,1fr)_auto]">
        <div className="min-w-0">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4">
            <h3 className="min-w-0 grow basis-48 text-base wrap-anywhere">{words.title}</h3>
            {task.cents === null ? null : <p className="price">{formatMoney(task.cents)}</p>}
          </div>
          {words.detail ? <p className="text-sm text-quiet wrap-anywhere">{words.detail}</p> : null}
        </div>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 lg:w-[27rem] [&_.tag]:whitespace-normal">
          <Tag tone={due.isSoon ? 'error' : 'glow'} icon={<Icon name="clock" />}>
            {due.text}
          </Tag>
          {/* Only the most urgent is the screen's primary step. */}
          <ButtonLink variant={isFirst ? 'primary' : 'secondary'} size="small" to={task.to}>
            {words.action}
            <span className="unseen">: {words.title}</span>
          </ButtonLink>
        </div>
      </div>
      <Mark task={task} title={words.title} ownId={ownId} />
    </li>
  )
}

/** The holder of a task, the note on it, and the forms that change either. */
function Mark({ task, title, ownId }: { task: OperatorTask; title: string; ownId: string }) {
  const { holder = null, note = '', notedBy = null } = task.mark ?? {}
  const isOwn = holder?.userId === ownId
  return (
    <>
      {note ? (
        <p className="mt-2 max-w-prose text-sm wrap-anywhere">
          {note} <span className="text-quiet">({notedBy})</span>
        </p>
      ) : null}
      <div className="mt-1 [&_.button-quiet]:px-1">
        <RowActions>
          {holder ? (
            <p className="text-sm wrap-anywhere">{isOwn ? 'You have it' : `${holder.email} has it`}</p>
          ) : null}
          {isOwn ? (
            <OperationForm act="give-back-task" id={task.key} about={title} />
          ) : (
            <OperationForm
              act="take-task"
              id={task.key}
              about={title}
              {...(holder ? { label: 'Take it over' } : {})}
              values={{ seen: holder?.userId ?? '' }}
            />
          )}
          <OperationForm
            act="note-task"
            id={task.key}
            about={title}
            label={note ? 'Change the note' : 'Add a note'}
            values={{ seen: note }}
            fields={{ note: { defaultValue: note } }}
          />
        </RowActions>
      </div>
    </>
  )
}
