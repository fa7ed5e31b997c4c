import { useEffect, useId, useRef, useState } from 'react'
import { href, Link } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { DropArea, DropProblems, type DropRejection } from '../../../ui/drop-area.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { useKeptFocus } from '../../../ui/kept-focus.ts'
import { useLeaveWarning } from '../../../ui/use-leave-warning.ts'
import { DROP_TEXTS } from '../../files/messages.ts'
import { UPLOAD_TYPES } from '../../files/rules.ts'
import {
  ALBUM_INTRO,
  ALBUM_TITLE,
  albumHint,
  BACK_TO_LISTINGS_TEXT,
  HIDDEN_ALBUM_TEXT,
  LEAVE_ALBUM_TEXTS,
  LOG_IN_AGAIN_TEXT,
  movedText,
  NO_PICTURES_TEXT,
  RETRY_TEXT,
  removedText,
  roomText,
  SAVED_TEXT,
  SAVING_TEXT,
  SEE_ON_PAGE_TEXT,
  SLOW_DOWN_TEXT,
  skippedText,
  UNDO_TEXT,
  UNSENT_TEXT,
} from '../album-messages.ts'
import { type AlbumPicture, latestRemoved, MAX_ALBUM_PICTURES, neighbourBefore } from '../album-rules.ts'
import type { AlbumClient, AlbumState } from '../browser/album-client.ts'
import { useAlbum } from '../browser/use-album.ts'
import { EditedPicture } from '../components/album-picture.tsx'
import { UploadedRow } from '../components/album-upload.tsx'
import { BUSINESS_NOT_FOUND_TEXT } from '../messages.ts'
import './album-screen.css'

type OwnAlbum = { name: string; isPublic: boolean; pictures: AlbumPicture[] }

/**
 * The screen on which a vendor adds, describes, orders and removes the pictures of an album.
 * @param album null if the listing isn't theirs
 */
export function AlbumScreen({
  userId,
  businessId,
  album,
}: {
  userId: string
  businessId: string
  album: OwnAlbum | null
}) {
  const back = href('/dashboard/list-business')
  if (!album) {
    return (
      <EmptyState
        text={BUSINESS_NOT_FOUND_TEXT}
        action={<ButtonLink to={back}>Back to My Listings</ButtonLink>}
      />
    )
  }
  return <AlbumEditor userId={userId} businessId={businessId} album={album} />
}

function AlbumEditor({ userId, businessId, album }: { userId: string; businessId: string; album: OwnAlbum }) {
  const { client, state } = useAlbum(album.pictures, { userId, businessId, name: album.name })
  const box = useKeptFocus<HTMLDivElement>()
  // Steps are sent from any screen, and `useAlbum` warns before the tab is closed. Files aren't.
  useLeaveWarning(state.uploads.length > 0, LEAVE_ALBUM_TEXTS)
  const count = state.pictures.length
  return (
    <>
      <p>
        <Link className="link py-2" to={href('/dashboard/list-business')}>
          {BACK_TO_LISTINGS_TEXT}
        </Link>
      </p>
      <h1 className="mt-2 text-3xl [overflow-wrap:anywhere] md:text-4xl">
        {ALBUM_TITLE} <span className="block text-xl text-quiet">{album.name}</span>
      </h1>
      <p className="mt-3 max-w-prose">
        {ALBUM_INTRO}{' '}
        {album.isPublic ? (
          <Link className="link" to={href('/business/:id', { id: businessId })}>
            {SEE_ON_PAGE_TEXT}
          </Link>
        ) : (
          HIDDEN_ALBUM_TEXT
        )}
      </p>
      <div className="mt-6 max-w-column">
        <Adding client={client} room={MAX_ALBUM_PICTURES - count - state.uploads.length} />
      </div>
      <HoldUp state={state} onRetry={client.retry} />
      <p className="mt-6 flex flex-wrap justify-between gap-x-6 text-sm text-quiet">
        <span className="figures">{roomText(count)}</span>
        <span role="status">{state.isSaving ? SAVING_TEXT : count > 0 ? SAVED_TEXT : ''}</span>
      </p>
      <div ref={box}>
        <Pictures client={client} state={state} />
      </div>
    </>
  )
}

/** The place to choose or drop pictures. @param room how many more the album takes */
function Adding({ client, room }: { client: AlbumClient; room: number }) {
  const [problems, setProblems] = useState<string[]>([])
  const id = useId()
  const drop = (files: File[], rejections: DropRejection[]) => {
    const taken = files.slice(0, Math.max(0, room))
    const refused = rejections.flatMap(({ fileName, codes }) =>
      codes.map((code) => `${fileName}: ${DROP_TEXTS[code]}`),
    )
    const skipped = files.length - taken.length
    setProblems([...(skipped > 0 ? [skippedText(skipped)] : []), ...refused])
    if (taken.length > 0) client.addFiles(taken)
  }
  return (
    <div className="grid gap-3">
      <DropArea
        label="Pictures"
        buttonText="Add pictures"
        hint={
          <>
            <span className="max-md:hidden">Or drop them here. </span>
            {albumHint}
          </>
        }
        describedBy={id}
        accept={UPLOAD_TYPES}
        multiple
        disabled={room <= 0}
        onDrop={drop}
      />
      <DropProblems id={id} problems={problems} />
    </div>
  )
}

/** The reason for which changes wait, with a button that tries again. */
function HoldUp({ state, onRetry }: { state: AlbumState; onRetry: () => void }) {
  if (!state.holdUp) return null
  const text = { offline: UNSENT_TEXT, signed_out: LOG_IN_AGAIN_TEXT, too_often: SLOW_DOWN_TEXT }[
    state.holdUp
  ]
  return (
    <div className="mt-6" role="status">
      <Banner
        action={
          <Button size="small" onClick={onRetry}>
            {RETRY_TEXT}
          </Button>
        }
      >
        {text}
      </Banner>
    </div>
  )
}

type Removed = { picture: AlbumPicture; after: string | null }

function Pictures({ client, state }: { client: AlbumClient; state: AlbumState }) {
  const { pictures, uploads } = state
  const [removed, setRemoved] = useState<readonly Removed[]>([])
  const [announcement, setAnnouncement] = useState('')
  const { list, move } = useMoves(client, pictures, setAnnouncement)
  const [dragged, setDragged] = useState<string | null>(null)
  const [target, setTarget] = useState<number | null>(null)
  const latest = latestRemoved(removed, pictures)
  const isFull = pictures.length >= MAX_ALBUM_PICTURES

  const remove = (picture: AlbumPicture, index: number) => {
    const others = removed.filter((each) => each.picture.url !== picture.url)
    setRemoved([...others, { picture, after: neighbourBefore(pictures, index) }])
    client.push({ kind: 'remove', url: picture.url })
  }
  const undo = ({ picture, after }: Removed) => {
    const { url, caption, alt } = picture
    client.push({ kind: 'add', url, caption, alt, after }, picture)
  }
  const endDrag = () => {
    if (dragged !== null && target !== null) move(dragged, target, null)
    setDragged(null)
    setTarget(null)
  }
  return (
    <>
      {latest ? (
        <p role="status" className="mt-4 flex flex-wrap items-center gap-x-4">
          {removedText(latest.picture.caption || 'a picture')}
          <Button size="small" disabled={isFull} onClick={() => undo(latest)}>
            {UNDO_TEXT}
          </Button>
          {isFull ? <span className="text-sm text-quiet">{roomText(pictures.length)}</span> : null}
        </p>
      ) : null}
      {pictures.length + uploads.length === 0 ? <EmptyState text={NO_PICTURES_TEXT} /> : null}
      <ol ref={list} className="album-list mt-4" aria-label="Pictures in order">
        {pictures.map((picture, index) => (
          <EditedPicture
            key={picture.url}
            picture={picture}
            index={index}
            count={pictures.length}
            isDragged={dragged === picture.url}
            isTarget={dragged !== null && dragged !== picture.url && target === index}
            onDragStart={() => setDragged(picture.url)}
            onDragOver={(event) => {
              if (!dragged) return
              event.preventDefault()
              setTarget(index)
            }}
            onDragEnd={endDrag}
            onMove={(to, control) => move(picture.url, to, control)}
            onRemove={() => remove(picture, index)}
            onDescribe={(texts) => client.push({ kind: 'describe', url: picture.url, ...texts })}
          />
        ))}
        {uploads.map((upload) => (
          <UploadedRow
            key={upload.id}
            upload={upload}
            onRetry={() => client.retryUpload(upload.id)}
            onDrop={() => client.dropUpload(upload.id)}
          />
        ))}
      </ol>
      <p className="unseen" aria-live="polite">
        {announcement}
      </p>
    </>
  )
}

/**
 * Moves pictures and says so.
 * @returns `list`: the ref of their list. `move`: to an index, keeping the focus on the pressed control of the moved picture
 */
function useMoves(client: AlbumClient, pictures: readonly AlbumPicture[], announce: (text: string) => void) {
  const list = useRef<HTMLOListElement>(null)
  const focus = useRef<{ url: string; control: string } | null>(null)
  // A moved row is inserted anew, and the browser takes the focus from what was in it.
  useEffect(() => {
    if (!focus.current) return
    const { url, control } = focus.current
    focus.current = null
    const row = [...(list.current?.children ?? [])].find(
      (each) => each instanceof HTMLElement && each.dataset.url === url,
    )
    const controls = [...(row?.querySelectorAll<HTMLElement>('[data-move]:enabled') ?? [])]
    const pressed = controls.find(({ dataset }) => dataset.move === control)
    // At either end its button is off.
    ;(pressed ?? controls[0])?.focus()
  })
  const move = (url: string, to: number, control: string | null) => {
    const others = pictures.filter((picture) => picture.url !== url)
    if (control) focus.current = { url, control }
    client.push({ kind: 'move', url, after: neighbourBefore(others, to) })
    announce(movedText(to, pictures.length))
  }
  return { list, move }
}
