import { type FormEvent, useState } from 'react'
import { useRevalidator } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useKeptFocus } from '../../../ui/kept-focus.ts'
import { showToast } from '../../../ui/toast.tsx'
import { useMounted } from '../../../ui/use-mounted.ts'
import { useLatest } from '../browser/use-saved-toast.ts'
import { removePasskeySchema, renamePasskeySchema } from '../schema.ts'
import { AccountForm, type AccountResult } from './account-form.tsx'
import { PasswordField } from './password-field.tsx'
import { type ProofAsked, proofFields } from './proof-fields.tsx'
import { SettingsSection } from './settings-section.tsx'

export const PASSKEY_INTENTS = ['passkey-rename', 'passkey-remove'] as const
export type PasskeyIntent = (typeof PASSKEY_INTENTS)[number]

/** @param added, lastUsed relative: '5 minutes ago' */
export type PasskeyView = { id: string; name: string; added: string; lastUsed: string | null }

/** The response to one of this section's forms. */
export type PasskeyAnswer = {
  intent: PasskeyIntent
  passkey: string
  result: AccountResult
  stamp: string | null
}

/** The account's passkeys: adds, renames and removes them. */
export function PasskeySection({
  passkeys,
  proofAsked,
  answer,
}: {
  passkeys: readonly PasskeyView[]
  proofAsked: ProofAsked
  answer: PasskeyAnswer | null
}) {
  const list = useKeptFocus<HTMLDivElement>()
  return (
    <SettingsSection
      id="passkeys"
      title="Passkeys"
      text="Log in with your fingerprint, your face or your device’s PIN. A passkey can’t be guessed or given away, so it needs no code."
    >
      <div ref={list}>
        {passkeys.length > 0 ? (
          <ul className="mb-6 border-line border-t">
            {passkeys.map((passkey) => (
              <PasskeyItem
                key={passkey.id}
                passkey={passkey}
                proofAsked={proofAsked}
                answer={answer?.passkey === passkey.id ? answer : null}
              />
            ))}
          </ul>
        ) : null}
      </div>
      <AddForm proofAsked={proofAsked} />
    </SettingsSection>
  )
}

function PasskeyItem({
  passkey,
  proofAsked,
  answer,
}: {
  passkey: PasskeyView
  proofAsked: ProofAsked
  answer: PasskeyAnswer | null
}) {
  const { id, name, added, lastUsed } = passkey
  const saved = useLatest(answer?.stamp)
  const resultOf = (intent: PasskeyIntent) => (answer?.intent === intent ? answer.result : undefined)
  const renaming = proofFields(proofAsked, resultOf('passkey-rename'))
  const removal = proofFields(proofAsked, resultOf('passkey-remove'))
  return (
    <li className="border-line border-b py-4">
      <div className="flex items-center gap-x-4">
        <Icon name="key-round" className="size-6 shrink-0 text-quiet" />
        <div className="min-w-0 [overflow-wrap:anywhere]">
          <p className="font-medium">{name}</p>
          <p className="text-quiet text-sm">
            Added {added}, {lastUsed ? `last used ${lastUsed}` : 'not used yet'}
          </p>
        </div>
      </div>
      <div className="mt-1 ml-10 text-sm">
        <details key={saved} open={resultOf('passkey-rename') ? true : undefined}>
          <summary className="link w-fit cursor-pointer py-2">
            Rename<span className="unseen"> {name}</span>
          </summary>
          <div className="mt-2 mb-3">
            <AccountForm
              intent="passkey-rename"
              formId={`rename-${id}`}
              hidden={{ passkey: id }}
              variant="secondary"
              schema={renamePasskeySchema}
              lastResult={resultOf('passkey-rename')}
              submitLabel="Save"
              pendingLabel="Saving..."
              fields={[
                { name: 'passkeyName', label: 'Name', type: 'text', autoComplete: 'off', defaultValue: name },
                ...renaming.fields,
              ]}
            >
              {renaming.children}
            </AccountForm>
          </div>
        </details>
        <details open={resultOf('passkey-remove') ? true : undefined}>
          <summary className="link w-fit cursor-pointer py-2">
            Remove<span className="unseen"> {name}</span>
          </summary>
          <div className="mt-2">
            <AccountForm
              intent="passkey-remove"
              formId={`remove-${id}`}
              hidden={{ passkey: id }}
              variant="danger"
              schema={removePasskeySchema}
              lastResult={resultOf('passkey-remove')}
              submitLabel="Remove"
              pendingLabel="Removing..."
              fields={removal.fields}
            >
              {removal.children}
            </AccountForm>
          </div>
        </details>
      </div>
    </li>
  )
}

/** Making a passkey is a conversation with the device, so it needs a script. */
function AddForm({ proofAsked }: { proofAsked: ProofAsked }) {
  const isMounted = useMounted()
  const { revalidate } = useRevalidator()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<{ message: string; field: 'proof' | null } | null>(null)
  // The last proof has become too old since the page was opened.
  const [isAsked, setAsked] = useState(false)
  if (!isMounted || !window.PublicKeyCredential?.parseCreationOptionsFromJSON)
    return <p className="text-quiet text-sm">This browser can’t make passkeys.</p>

  const { fields, children } = proofFields(proofAsked, isAsked ? { error: { proof: [] } } : undefined)
  const besideProof = problem?.field === 'proof' ? problem.message : undefined

  async function add(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    const form = event.currentTarget
    const proof = String(new FormData(form).get('proof') ?? '')
    setBusy(true)
    setProblem(null)
    const { addPasskey } = await import('../browser/passkey-client.ts')
    const outcome = await addPasskey(proof)
    setBusy(false)
    if (!outcome.ok) {
      if (outcome.field === 'proof') setAsked(true)
      return setProblem(outcome)
    }
    form.reset()
    setAsked(false)
    showToast({ type: 'success', text: 'Your passkey is added.' })
    await revalidate()
  }

  return (
    <form onSubmit={add} className="grid gap-5" noValidate>
      {fields.map(({ name, label, type, autoComplete, inputMode }) =>
        type === 'password' ? (
          <PasswordField
            key={name}
            label={label}
            name={name}
            autoComplete={autoComplete}
            error={besideProof}
          />
        ) : (
          <TextField
            key={name}
            label={label}
            name={name}
            type="text"
            inputMode={inputMode}
            autoComplete={autoComplete}
            error={besideProof}
          />
        ),
      )}
      {children}
      {problem && problem.field === null ? (
        <p role="alert" className="field-error">
          {problem.message}
        </p>
      ) : null}
      <Button
        type="submit"
        className="justify-self-start"
        pending={busy}
        pendingText="Waiting for your device..."
      >
        Add a passkey
      </Button>
    </form>
  )
}
