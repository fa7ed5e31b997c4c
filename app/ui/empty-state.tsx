import type { ReactNode } from 'react'

/**
 * A place where there is nothing yet: a picture, what would be here, and the next step.
 * @param heading 'h1' where nothing else is on the page
 * @param text the sentence that names the state, given whole, since some are fixed wordings
 */
export function EmptyState({
  illustration,
  heading: Heading = 'h2',
  title,
  text,
  action,
}: {
  illustration?: ReactNode
  heading?: 'h1' | 'h2'
  title?: ReactNode
  text: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="empty">
      {illustration ? <div aria-hidden="true">{illustration}</div> : null}
      {title ? <Heading>{title}</Heading> : null}
      <p>{text}</p>
      {action ? <div className="mt-3">{action}</div> : null}
    </div>
  )
}
