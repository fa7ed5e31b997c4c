import type { ReactNode } from 'react'

/**
 * A placeholder for an empty list: a picture, a text and the next step.
 * @param props.heading 'h1' when the page has no other content
 * @param props.text the complete sentence that names the state, since some are fixed wordings
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
