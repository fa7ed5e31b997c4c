import { Form, href, useNavigation } from 'react-router'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { useLiveUpdates } from '../../notifications/browser/use-live-updates.ts'
import {
  type ConversationAnswer,
  ConversationPane,
  type ConversationPaneProps,
} from '../components/conversation-pane.tsx'
import { UNVERIFIED_TEXT } from '../conversation-messages.ts'
import type { ConversationView } from '../rules.ts'
import './conversation-screen.css'

export type GuestConversationData = {
  conversation: ConversationView | null
  /** Whether the viewer has a session, which the link doesn't need. */
  isSignedIn: boolean
  submitKey: string
  before: number | null
  now: string
  timeZone: string
}

/**
 * A conversation by its mailed link, without signing in.
 * @param parts of quotes, placed in the conversation by the route
 */
export function ConversationScreen({
  data: { conversation, isSignedIn, submitKey, before, now, timeZone },
  linkToken,
  answered,
  parts = {},
}: {
  data: GuestConversationData
  linkToken: string
  answered: ConversationAnswer | undefined
  parts?: Pick<ConversationPaneProps, 'cards' | 'hasOpenQuote' | 'notice'>
}) {
  useLiveUpdates(conversation ? [`conversation-${linkToken}`] : [])
  if (!conversation)
    return (
      <EmptyState
        heading="h1"
        title="This conversation isn’t here"
        text="The link may be incomplete, or the conversation was deleted. Open the newest email from us, or ask again."
        action={<ButtonLink to={href('/venues-vendors')}>Find venues and vendors</ButtonLink>}
      />
    )
  return (
    <div className="page guest-conversation">
      <ConversationPane
        key={`${conversation.id} ${before}`}
        conversation={conversation}
        token={linkToken}
        path={href('/conversations/:linkToken', { linkToken })}
        before={before}
        submitKey={submitKey}
        answered={answered}
        backHref={null}
        isSignedIn={isSignedIn}
        heading="h1"
        now={now}
        timeZone={timeZone}
        {...parts}
        notice={
          <>
            {conversation.isVerified ? null : <Confirmation />}
            {parts.notice}
          </>
        }
      />
    </div>
  )
}

/** Mail scanners open links, so only a pressed button confirms the address. */
function Confirmation() {
  const isPending = useNavigation().formData?.get('intent') === 'verify'
  return (
    <Form method="post" className="grid justify-items-start gap-4 rounded-card bg-glow-soft p-5">
      <p>{UNVERIFIED_TEXT}</p>
      <Button
        type="submit"
        name="intent"
        value="verify"
        variant="primary"
        icon={<Icon name="mail-check" />}
        pending={isPending}
        pendingText="Sending..."
      >
        Confirm and send my message
      </Button>
      <SendFailure />
    </Form>
  )
}
