import { href, Link } from 'react-router'
import { type LinkPress, PressLinkPage } from '../components/press-link-page.tsx'

/** Signs every browser out and leads to a new password, with the link in the mail about a new device. */
export function NotMeScreen({
  loaderData: { token, email, problem },
  actionData,
}: {
  loaderData: LinkPress & { token: string }
  actionData: LinkPress | undefined
}) {
  return (
    <PressLinkPage
      title="This wasn’t me"
      intro={
        email
          ? 'We log out every browser, your password stops working, and passkeys or two-step login set up since then are removed. Then you choose a new password.'
          : undefined
      }
      token={token}
      email={actionData ? null : email}
      problem={actionData?.problem ?? problem}
      button="Log out everywhere"
      pendingText="Logging out..."
      done={
        actionData?.email
          ? {
              title: 'Every browser is logged out',
              text: `We have sent a link to ${actionData.email} to choose a new password. Your old one no longer works.`,
            }
          : null
      }
      otherwise={
        <Link className="link" to={href('/forgot-password')}>
          Choose a new password
        </Link>
      }
    />
  )
}
