import { useFetcher } from 'react-router'
import { formatInstant, HOME_ZONE } from '../../../shared/dates.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { useAnswer } from '../../../ui/use-answer.ts'
import {
  ASK_AGAIN_BUTTON,
  ASK_FAILURES,
  ASKED_TOAST,
  ASKING_BUTTON,
  differenceTexts,
  factsText,
  namesText,
  PROBLEM_TEXTS,
  PROBLEM_TITLES,
  REGISTER_NOTE,
  REGISTER_TITLE,
  WAITING_TEXT,
} from '../register-messages.ts'
import type { OwnStanding } from '../register-queries.server.ts'

/** The response to 'Ask again'. */
export type AskAnswer = { ok: true } | { ok: false; reason: keyof typeof ASK_FAILURES }

/** How a saved registration stands with the Australian Business Register. Renders nothing where no register is asked. */
export function RegisterLine({ standing }: { standing: OwnStanding }) {
  const { state, problem, facts, answeredAt } = standing
  if (state === 'unchecked') return null
  const names = facts ? namesText(facts) : ''
  return (
    <section className="border-t border-line pt-6" data-register={problem ?? state}>
      <h2 className="text-lg">{REGISTER_TITLE}</h2>
      <p className="mt-1.5 text-sm text-quiet">{REGISTER_NOTE}</p>
      {problem ? (
        <div className="mt-4">
          <Banner tone="error" title={PROBLEM_TITLES[problem]}>
            {PROBLEM_TEXTS[problem]}
          </Banner>
        </div>
      ) : null}
      <div className="mt-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div className="min-w-0 grow basis-80">
          {names ? <p className="[overflow-wrap:anywhere]">{names}</p> : null}
          <p className="figures">{facts ? factsText(facts) : WAITING_TEXT}</p>
          {differenceTexts(standing).map((text) => (
            <p key={text} className="mt-2 max-w-prose">
              {text}
            </p>
          ))}
          {answeredAt ? (
            <p className="figures mt-1 text-sm text-quiet">
              Answered {formatInstant(new Date(answeredAt), HOME_ZONE)}.
            </p>
          ) : null}
        </div>
        <AskAgain />
      </div>
    </section>
  )
}

function AskAgain() {
  const fetcher = useFetcher<AskAnswer>()
  const toast = useToast()
  useAnswer(fetcher, (answer) =>
    toast(
      answer.ok
        ? { type: 'success', text: ASKED_TOAST }
        : { type: 'error', text: ASK_FAILURES[answer.reason] },
    ),
  )
  return (
    <fetcher.Form method="post">
      <Button
        type="submit"
        size="small"
        name="intent"
        value="ask-register"
        pending={fetcher.state !== 'idle'}
        pendingText={ASKING_BUTTON}
      >
        {ASK_AGAIN_BUTTON}
      </Button>
    </fetcher.Form>
  )
}
