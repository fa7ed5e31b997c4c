import { EndMailsPage } from '../../../ui/end-mails-page.tsx'

/**
 * Unsubscribes from the newsletter when the button is pressed.
 * @param props.isDone false when the link was refused; null before the press
 */
export function UnsubscribeScreen({ isDone }: { isDone: boolean | null }) {
  return (
    <EndMailsPage
      isDone={isDone}
      heading={{ before: 'Unsubscribe', after: 'You are unsubscribed' }}
      button="Unsubscribe"
      after="We won’t send the newsletter to this address again."
    />
  )
}
