import { href, Link } from 'react-router'
import { Badge } from '../../../ui/badge.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useAuth } from '../../accounts/components/auth-context.tsx'
import { useShortlist } from '../browser/use-shortlist.ts'
import {
  linkText,
  removedToast,
  SAVE_TEXT,
  SAVED_TEXT,
  savedText,
  savedToast,
  saveText,
} from '../messages.ts'

/**
 * The heart of a business. The document has no visitor's state, so the browser fills it in. Without a script, it is the
 * form of the shortlist's page.
 * @param labelled with 'Save' beside the heart. Without it, the heart is set into the corner of a picture
 */
export function SaveButton({ id, name, labelled }: { id: string; name: string; labelled?: boolean }) {
  const { ids, press } = useOwnShortlist()
  const isSaved = ids.has(id)
  return (
    <form
      method="post"
      action={href('/shortlist/:link?', {})}
      className={labelled ? undefined : 'save-button'}
      onSubmit={async (event) => {
        event.preventDefault()
        const answer = await press(id, !isSaved)
        if (!answer) return
        if (!answer.ok) showToast({ type: 'error', text: answer.text })
        else showToast({ type: 'success', text: isSaved ? removedToast(name) : savedToast(name) })
      }}
    >
      <input type="hidden" name="intent" value="add" />
      <input type="hidden" name="businessId" value={id} />
      <button
        type="submit"
        onClick={(event) => {
          // The second click of a double click would remove what the first one saved.
          if (event.detail > 1) event.preventDefault()
        }}
        aria-label={labelled && isSaved ? savedText(name) : saveText(name)}
        aria-pressed={isSaved}
        className={labelled ? 'link save-labelled' : 'icon-button icon-button-framed'}
      >
        <Icon name="heart" className="save-heart" />
        {labelled ? (isSaved ? SAVED_TEXT : SAVE_TEXT) : null}
      </button>
    </form>
  )
}

/** The header's link to the shortlist, with the number of saved businesses. */
export function ShortlistLink() {
  const { ids } = useOwnShortlist()
  return (
    <Link
      to={href('/shortlist/:link?', {})}
      className="icon-button saved-link"
      aria-label={linkText(ids.size)}
    >
      <Icon name="heart" />
      <Badge count={ids.size} />
    </Link>
  )
}

/** In a document it reads no context, so that a card with its heart is rendered once. */
const useOwnShortlist = import.meta.env.SSR
  ? () => useShortlist(undefined)
  : function useVisitorsShortlist() {
      const { user, loading } = useAuth()
      return useShortlist(loading ? undefined : (user?.uid ?? null))
    }
