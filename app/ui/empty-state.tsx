import type { ReactNode } from 'react'
import { Picture, type PictureImage } from './picture.tsx'

/**
 * A place where there is nothing yet: a picture, what would be here, and the next step.
 * @param picture drawn in 4:3
 * @param heading 'h1' where nothing else is on the page
 * @param text the sentence that names the state, given whole, since some are fixed wordings
 */
export function EmptyState({
  picture,
  heading: Heading = 'h2',
  title,
  text,
  action,
}: {
  picture?: PictureImage
  heading?: 'h1' | 'h2'
  title?: ReactNode
  text: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="empty">
      {picture ? (
        <div aria-hidden="true">
          <Picture image={picture} alt="" sizes="280px" ratio="4 / 3" />
        </div>
      ) : null}
      {title ? <Heading>{title}</Heading> : null}
      <p>{text}</p>
      {action ? <div className="mt-3">{action}</div> : null}
    </div>
  )
}
