import { useFetcher } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useAnswer } from '../../../ui/use-answer.ts'
import {
  ACCOUNTANT_LABEL,
  ACCOUNTANT_NOTE,
  ACCOUNTANT_TITLE,
  ASK_BUTTON,
  ASKING_BUTTON,
  STATE_TEXTS,
  STOP_BUTTON,
  STOPPING_BUTTON,
} from '../accountant-messages.ts'
import type { AccountantView } from '../accountant-queries.server.ts'

/** The answer to the form; `errors` belong to its field. */
export type AccountantAnswer = { ok: boolean; message: string; errors?: { accountant?: string } }

/** Sends a vendor's documents to their accountant each month, once the accountant has agreed. */
export function AccountantForm({ accountant }: { accountant: AccountantView | null }) {
  const fetcher = useFetcher<AccountantAnswer>()
  useAnswer(fetcher, ({ ok, errors, message }) => {
    if (!errors) showToast({ type: ok ? 'success' : 'error', text: message })
  })
  const isSaving = fetcher.state !== 'idle'
  const isOn = accountant !== null && accountant.state !== 'ended'
  return (
    <div className="mt-8">
      <h3 className="text-base">{ACCOUNTANT_TITLE}</h3>
      <p className="mt-1 max-w-prose text-sm text-quiet">{ACCOUNTANT_NOTE}</p>
      {accountant ? (
        <p className="mt-3 max-w-prose wrap-anywhere">{STATE_TEXTS[accountant.state](accountant.email)}</p>
      ) : null}
      <fetcher.Form method="post" className="mt-3 grid max-w-column gap-4" noValidate>
        <input type="hidden" name="intent" value={isOn ? 'stop-accountant' : 'ask-accountant'} />
        {isOn ? null : (
          <TextField
            label={ACCOUNTANT_LABEL}
            name="accountant"
            type="email"
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            error={fetcher.data?.errors?.accountant}
            required
          />
        )}
        <Button
          type="submit"
          variant={isOn ? 'quiet' : 'secondary'}
          className="justify-self-start"
          pending={isSaving}
          pendingText={isOn ? STOPPING_BUTTON : ASKING_BUTTON}
        >
          {isOn ? STOP_BUTTON : ASK_BUTTON}
        </Button>
        <SendFailure />
      </fetcher.Form>
    </div>
  )
}
