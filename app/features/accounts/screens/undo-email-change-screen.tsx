import { href, Link } from 'react-router'
import { type LinkPress, PressLinkPage } from '../components/press-link-page.tsx'

/** Undoes a change of the account's address, with the link that was mailed to the old one. */
export function UndoEmailChangeScreen({
  loaderData: { token, email, problem },
  actionData,
}: {
  loaderData: LinkPress & { token: string }
  actionData: LinkPress | undefined
}) {
  return (
    <PressLinkPage
      title="Undo the change of your email"
      intro={
        email
          ? `Your account gets ${email} back. We log out every browser, and you choose a new password.`
          : undefined
      }
      token={token}
      email={actionData ? null : email}
      problem={actionData?.problem ?? problem}
      button="Undo the change"
      pendingText="Undoing..."
      done={
        actionData?.email
          ? {
              title: 'The change is undone',
              text: `Your account uses ${actionData.email} again. We have sent a link there to choose a new password.`,
            }
          : null
      }
      otherwise={
        <Link className="link" to={href('/advice-support')}>
          Contact us
        </Link>
      }
    />
  )
}
