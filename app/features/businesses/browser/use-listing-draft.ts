import type { SubmissionResult } from '@conform-to/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { newId } from '../../../shared/ids.ts'
import type { OwnListing } from '../owner-queries.server.ts'
import { draftOf, EMPTY_DRAFT, type ListingDraft, listingDraft, postedDraft } from './listing-draft.ts'

const NOT_SENT = { submitKey: '', sentName: '', isRestored: false }

/**
 * The initial values of the listing form, and its draft in this tab. The server's answer to a refused form has what was
 * typed, but it comes only to a form that was sent and answered. The draft keeps the values of a form that is reloaded or left,
 * whose session has ended, or whose answer is lost. It also keeps the submit key under which a new listing was sent: sent again
 * after a lost answer and a reload, it must not publish a second one.
 * @param form.listing the stored listing; null for a new one
 * @param form.refused the answer to a form that was posted without JavaScript
 */
export function useListingDraft({
  userId,
  listing,
  refused,
}: {
  userId: string
  listing: OwnListing | null
  refused: SubmissionResult | undefined
}) {
  const businessId = listing?.id ?? null
  // Revalidation must not create a new store, or the values being typed would be read back as an old draft.
  const store = useMemo(() => listingDraft({ userId, businessId }), [userId, businessId])
  const saved = useMemo(() => (listing ? draftOf(listing) : EMPTY_DRAFT), [listing])
  const [start, setStart] = useState(() => ({
    draft: refused ? postedDraft(refused.initialValue, saved) : saved,
    isRestored: false,
  }))
  const [unsaved, setUnsaved] = useState(false)
  /** How a new listing was last sent. `isRestored` if that was before a reload, so that another name may be another listing. */
  const sent = useRef(NOT_SENT)

  // Only the browser has the stored draft, so it's restored after the first render.
  useEffect(() => {
    const stored = store.read()
    if (!stored) return
    setStart({ draft: stored, isRestored: true })
    setUnsaved(true)
    const { submitKey, sentName } = stored
    if (submitKey) sent.current = { submitKey, sentName, isRestored: true }
  }, [store])

  const keep = (draft: ListingDraft) => {
    const { submitKey, sentName } = sent.current
    store.keep({ ...draft, submitKey, sentName })
  }
  const keepSent = (as: typeof NOT_SENT) => {
    sent.current = as
    const stored = store.read()
    if (stored) keep(stored)
  }
  return {
    start,
    unsaved,
    keep(draft: ListingDraft) {
      setUnsaved(true)
      keep(draft)
    },
    forget: () => store.forget(),
    /** Makes the next submission one of another listing. */
    renewKey: () => keepSent(NOT_SENT),
    /** The submit key for a name. A form that was sent, restored and renamed mustn't replace the listing that it may have published. */
    keyFor(name: string): string {
      const { submitKey, sentName, isRestored } = sent.current
      const isSame = submitKey !== '' && (!isRestored || sentName === name)
      const key = isSame ? submitKey : newId()
      keepSent({ submitKey: key, sentName: name, isRestored: false })
      return key
    },
    startAgain() {
      store.forget()
      if (!businessId) sent.current = NOT_SENT
      setStart({ draft: saved, isRestored: false })
      setUnsaved(false)
    },
  }
}
