import type { ReactNode, RefObject } from 'react'
import { EmptyState } from '../../../ui/empty-state.tsx'
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
  isEmpty,
}: {
  head: ReactNode
  list: ReactNode
  listRef?: RefObject<HTMLDivElement | null>
  pane: ReactNode
  /** Whether the list has no conversations. It has all the room then, while none is open. */
  isEmpty: boolean
}) {
  const isOpen = pane !== null
  if (!isOpen && isEmpty)
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
        <div className="split-rest">
          {pane ?? <p className="place-self-center p-8 text-quiet">Choose a conversation to read it.</p>}
        </div>
      </div>
    </div>
  )
}

/** In place of a conversation that the address names and that isn't there. */
export function MissingConversation({ action }: { action?: ReactNode }) {
  return (
    <EmptyState
      title="This conversation isn’t here"
      text="It may have been deleted, or it belongs to another account."
      action={action}
    />
  )
}
