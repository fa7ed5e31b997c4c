import type { ReactNode, RefObject } from 'react'
import './conversation-split.css'

/**
 * A list of conversations and one of them: side by side on a wide screen, else one after the other.
 * @param head above both; hidden on a phone while a conversation is open
 * @param pane the open conversation; null for none
 */
export function ConversationSplit({
  head,
  list,
  listRef,
  pane,
  nothingOpen,
}: {
  head: ReactNode
  list: ReactNode
  listRef?: RefObject<HTMLDivElement | null>
  pane: ReactNode
  /** Beside the list while no conversation is open; null for an empty list, which then has all the room. */
  nothingOpen: ReactNode
}) {
  const isOpen = pane !== null
  if (!isOpen && nothingOpen === null)
    return (
      <>
        {head}
        {list}
      </>
    )
  return (
    <div className="split-frame" data-open={isOpen}>
      <div className="split-head">{head}</div>
      <div className="split" data-open={isOpen}>
        <div ref={listRef} className="split-list">
          {list}
        </div>
        <div className="split-rest">{pane ?? nothingOpen}</div>
      </div>
    </div>
  )
}
