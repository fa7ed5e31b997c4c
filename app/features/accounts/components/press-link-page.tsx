import type { ReactNode } from 'react'
import { Form, href, Link, useNavigation } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { AccountPage } from './account-page.tsx'

const PICTURE = 'hero-4/forgotten'

/** The state of a mailed link's page, before its button is pressed and after. */
export type LinkPress = { email: string | null; problem: string | null }

/**
 * The page of a mailed link that does something only when its button is pressed, and then sends a link to a new password.
 * @param props.email the address that the link is about; null if the link doesn't work
 * @param props.done what to say once it was pressed; null before
 * @param props.otherwise where to go if the link doesn't work
 */
export function PressLinkPage({
  title,
  intro,
  token,
  email,
  problem,
  button,
  pendingText,
  done,
  otherwise,
}: LinkPress & {
  title: string
  intro: ReactNode
  token: string
  button: string
  pendingText: string
  done: { title: string; text: ReactNode } | null
  otherwise: ReactNode
}) {
  const pending = useNavigation().formMethod === 'POST'
  if (done)
    return (
      <AccountPage title={done.title} picture={PICTURE}>
        <p role="status">{done.text}</p>
        <p className="mt-6">
          <Link className="link" to={href('/forgot-password')}>
            Send me the link again
          </Link>
        </p>
      </AccountPage>
    )
  return (
    <AccountPage title={title} intro={intro} picture={PICTURE}>
      {problem ? (
        <div className="mb-6" role="alert">
          <Banner tone="error">{problem}</Banner>
        </div>
      ) : null}
      {email ? (
        <Form method="post">
          <input type="hidden" name="token" value={token} />
          <Button
            type="submit"
            variant="primary"
            size="large"
            wide
            pending={pending}
            pendingText={pendingText}
          >
            {button}
          </Button>
        </Form>
      ) : (
        <p>{otherwise}</p>
      )}
    </AccountPage>
  )
}
