import { useCallback, useEffect, useRef, useState } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { canOffer, type PasskeyOutcome, signInWithPasskey } from '../browser/passkey-client.ts'

/** Logs in with a passkey: by its button, or by a suggestion in the email field. */
export function PasskeySignIn({ next }: { next: string }) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  // A browser carries out one request at a time, so the button ends the request that waits behind the email field.
  const waiting = useRef<AbortController | null>(null)

  const finish = useCallback((outcome: PasskeyOutcome) => {
    // Loads the document anew: every part of the page shows the account.
    if (outcome.ok) window.location.assign(outcome.to ?? '/')
    else setProblem(outcome.isGivenUp ? null : outcome.message)
  }, [])

  const offer = useCallback(async () => {
    if (!(await canOffer())) return
    const controller = new AbortController()
    waiting.current = controller
    const outcome = await signInWithPasskey(next, 'offered', controller.signal)
    if (controller.signal.aborted) return
    finish(outcome)
    // A passkey that was refused, or chosen too late: the field offers them again.
    if (!outcome.ok && !outcome.isGivenUp) void offer()
  }, [next, finish])

  useEffect(() => {
    void offer()
    return () => waiting.current?.abort()
  }, [offer])

  const ask = async () => {
    waiting.current?.abort()
    setBusy(true)
    setProblem(null)
    const outcome = await signInWithPasskey(next, 'asked', new AbortController().signal)
    finish(outcome)
    if (outcome.ok) return
    setBusy(false)
    void offer()
  }

  return (
    <>
      <Button
        size="large"
        wide
        icon={<Icon name="key-round" />}
        pending={busy}
        pendingText="Waiting for your device..."
        onClick={ask}
      >
        Log in with a passkey
      </Button>
      {problem ? (
        <div role="alert" className="mt-4">
          <Banner tone="error">{problem}</Banner>
        </div>
      ) : null}
    </>
  )
}
