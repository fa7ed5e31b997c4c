import { useFetcher } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useKeptFocus } from '../../../ui/kept-focus.ts'
import { useCopy } from '../../../ui/use-copy.ts'
import { useMounted } from '../../../ui/use-mounted.ts'
import {
  COPIED_TEXT,
  COPY_LINK_TEXT,
  END_LINK_TEXT,
  MAKE_LINK_TEXT,
  NEW_LINK_HINT,
  NEW_LINK_TEXT,
  SELECTED_TEXT,
  SHARE_LINK_LABEL,
  SHARE_LINK_TEXT,
  SHARE_TEXT,
  SHARE_TITLE,
  SHORTLIST_TITLE,
} from '../messages.ts'

/** The key of the fetcher that sends the changes of the page. */
export const CHANGES_KEY = 'shortlist'

/** The link of a list: made, shared, replaced and ended by its owner. @param link null unless the list is shared */
export function SharePanel({ link }: { link: string | null }) {
  // The page's own fetcher: it shows the latest answer.
  const { Form, formData } = useFetcher({ key: CHANGES_KEY })
  const pending = formData?.get('intent')
  const box = useKeptFocus<HTMLElement>()
  return (
    <section
      ref={box}
      aria-labelledby="share"
      className="rounded-card border border-line bg-surface p-5 md:p-7"
    >
      <h2 id="share" className="text-xl">
        {SHARE_TITLE}
      </h2>
      <p className="mt-2 text-quiet">{SHARE_TEXT}</p>
      {link ? <LinkField link={link} /> : null}
      <div className="mt-5 flex flex-wrap gap-3">
        <Form method="post">
          <input type="hidden" name="intent" value="share" />
          <Button
            type="submit"
            variant={link ? 'secondary' : 'brand'}
            icon={link ? <Icon name="rotate-cw" /> : <Icon name="link-2" />}
            pending={pending === 'share'}
          >
            {link ? NEW_LINK_TEXT : MAKE_LINK_TEXT}
          </Button>
        </Form>
        {link ? (
          <Form method="post">
            <input type="hidden" name="intent" value="unshare" />
            <Button
              type="submit"
              variant="danger"
              icon={<Icon name="unlink" />}
              pending={pending === 'unshare'}
            >
              {END_LINK_TEXT}
            </Button>
          </Form>
        ) : null}
      </div>
      {link ? <p className="mt-3 text-sm text-quiet">{NEW_LINK_HINT}</p> : null}
    </section>
  )
}

/** The link, with the phone's own way of sharing if it has one, or to copy. */
function LinkField({ link }: { link: string }) {
  const { field, copy } = useCopy(link, { copied: COPIED_TEXT, selected: SELECTED_TEXT })
  const isMounted = useMounted()
  const canShare = isMounted && typeof navigator.share === 'function'
  const share = async () => {
    try {
      await navigator.share({ title: SHORTLIST_TITLE, url: link })
    } catch (error) {
      // Closing the phone's sheet is no failure.
      if (!(error instanceof DOMException && error.name === 'AbortError')) await copy()
    }
  }
  return (
    <div className="mt-5 grid gap-3">
      <TextField label={SHARE_LINK_LABEL} {...field} />
      {isMounted ? (
        <div className="flex flex-wrap gap-3">
          {canShare ? (
            <Button variant="brand" icon={<Icon name="share-2" />} onClick={() => void share()}>
              {SHARE_LINK_TEXT}
            </Button>
          ) : null}
          <Button
            variant={canShare ? 'secondary' : 'brand'}
            icon={<Icon name="copy" />}
            onClick={() => void copy()}
          >
            {COPY_LINK_TEXT}
          </Button>
        </div>
      ) : null}
    </div>
  )
}
