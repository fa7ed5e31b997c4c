import { EndMailsPage } from '../../../ui/end-mails-page.tsx'

/**
 * Ends the mails that ask for reviews when the button is pressed.
 * @param props.isDone false when the link was refused; null before the press
 */
export function EndInvitationsScreen({ isDone }: { isDone: boolean | null }) {
  return (
    <EndMailsPage
      isDone={isDone}
      heading={{ before: 'Stop asking me for reviews', after: 'We won’t ask again' }}
      button="Don’t ask me for reviews"
      after="You can still review a booking from its page."
    />
  )
}
