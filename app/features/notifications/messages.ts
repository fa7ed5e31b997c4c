export const NO_NOTIFICATIONS_TITLE = 'Nothing new'
export const NO_NOTIFICATIONS_TEXT =
  'Answers to your bookings, new bookings of your business and reviews appear here.'

export const NOTIFICATIONS_LOAD_FAILED = 'Error loading notifications'

/** The heading's count as text. */
export function unreadText(count: number): string {
  return count === 0 ? 'All read' : `${count} unread`
}
