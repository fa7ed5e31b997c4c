import { createRoot, type Root } from 'react-dom/client'
import { followBars } from './bottom-bars.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

/** The failed parts of the page, each with its next attempt. */
const failed = new Map<object, () => void>()
let notice: { place: HTMLElement; root: Root; stopFollowing: () => void } | null = null

/**
 * Shows the notice that a part of the page has failed. It is one for all parts, since some are as small as a heart on a
 * card, and has a root of its own, since the page's parts may have failed.
 * @param part the same object each time
 * @param retry called when the person tries again
 * @returns a function that takes the part out, once it has left the page
 */
export function offerRetry(part: object, retry: () => void): () => void {
  failed.set(part, retry)
  show()
  return () => {
    failed.delete(part)
    if (failed.size === 0) hide()
  }
}

function show(): void {
  if (notice) return
  const place = document.createElement('div')
  place.className = 'connection'
  place.setAttribute('role', 'status')
  document.body.append(place)
  const stopFollowing = followBars(place, (px) => {
    place.style.bottom = px > 0 ? `${px + 16}px` : ''
  })
  notice = { place, root: createRoot(place), stopFollowing }
  notice.root.render(
    <div>
      <Icon name="circle-alert" />
      <p>
        <strong>Part of this page isn’t working.</strong> You can still read it and follow its links. We have
        a record of the fault.
      </p>
      <div className="connection-steps">
        <Button size="small" onClick={retryAll}>
          Try again
        </Button>
        <Button size="small" variant="quiet" onClick={hide}>
          Dismiss
        </Button>
      </div>
    </div>,
  )
}

function hide(): void {
  const previous = notice
  notice = null
  previous?.stopFollowing()
  previous?.root.unmount()
  previous?.place.remove()
}

function retryAll(): void {
  const attempts = [...failed.values()]
  failed.clear()
  hide()
  for (const retry of attempts) retry()
}
