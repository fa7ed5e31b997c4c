import { useCallback, useEffect, useState } from 'react'
import { Form } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { useAuth } from '../components/auth-context.tsx'
import { STILL_SIGNED_IN } from '../sign-out-messages.ts'

/** A GET must not change anything on the server, so this page signs out with its own request. */
export function LogoutScreen({
  hasFailedBefore,
}: {
  /** Without JavaScript, or before it runs, the form posts to /logout and the response is this screen. */
  hasFailedBefore: boolean
}) {
  const { logout } = useAuth()
  const [state, setState] = useState<'leaving' | 'failed'>(hasFailedBefore ? 'failed' : 'leaving')
  const leave = useCallback(async () => {
    setState('leaving')
    if (!(await logout())) setState('failed')
  }, [logout])
  useEffect(() => {
    if (!hasFailedBefore) void leave()
  }, [hasFailedBefore, leave])
  return (
    <div className="page page-column py-8 md:py-12">
      <h1>{state === 'failed' ? STILL_SIGNED_IN : 'Logging you out'}</h1>
      <p className="mt-3 text-quiet" role="alert">
        {state === 'failed' ? 'Logging out failed. Check your connection and try again.' : null}
      </p>
      <Form
        method="post"
        className="mt-6"
        onSubmit={(event) => {
          event.preventDefault()
          void leave()
        }}
      >
        <Button type="submit" variant={state === 'failed' ? 'brand' : 'secondary'}>
          {state === 'failed' ? 'Try again' : 'Logout'}
        </Button>
      </Form>
    </div>
  )
}
