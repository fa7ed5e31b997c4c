import { type MouseEvent, useId, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { FieldError } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useMounted } from '../../../ui/use-mounted.ts'
import { proveByPasskey } from '../browser/passkey-client.ts'
import { PROOF_BY_PASSKEY } from '../messages.ts'

/**
 * Proves the person with a passkey and sends the form around it, whose proof is no longer due then. Shown only in
 * browsers with passkeys.
 */
export function PasskeyProof() {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const isMounted = useMounted()
  const errorId = useId()
  if (!isMounted || !window.PublicKeyCredential?.parseRequestOptionsFromJSON) return null

  const prove = async ({ currentTarget: button }: MouseEvent<HTMLButtonElement>) => {
    setBusy(true)
    setProblem(undefined)
    const outcome = await proveByPasskey()
    setBusy(false)
    if (!outcome.ok) return setProblem(outcome.isGivenUp ? undefined : outcome.message)
    // The password's field may be required. It stays empty.
    if (button.form) button.form.noValidate = true
    button.form?.requestSubmit()
  }

  return (
    <div>
      <Button
        icon={<Icon name="key-round" />}
        pending={isBusy}
        pendingText="Waiting for your device..."
        onClick={prove}
      >
        {PROOF_BY_PASSKEY}
      </Button>
      <div role="alert">
        <FieldError id={errorId} message={problem} />
      </div>
    </div>
  )
}
