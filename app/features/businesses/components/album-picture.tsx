import { type DragEvent, useEffect, useState } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Picture } from '../../../ui/picture.tsx'
import { ALBUM_ALT_HINT, CAPTION_LABEL } from '../album-messages.ts'
import { type AlbumPicture, MAX_CAPTION_LENGTH } from '../album-rules.ts'
import { createTextDraft } from '../browser/text-draft.ts'
import { IMAGE_ALT_LABEL } from '../listing-messages.ts'
import { MAX_ALT_LENGTH } from '../schema.ts'

type EditedPictureProps = {
  picture: AlbumPicture
  index: number
  count: number
  isDragged: boolean
  /** Whether a dragged picture would take this place. */
  isTarget: boolean
  onDragStart: () => void
  onDragOver: (event: DragEvent) => void
  onDragEnd: () => void
  /** @param control the control that was pressed, which keeps the focus */
  onMove: (to: number, control: string) => void
  onRemove: () => void
  onDescribe: (texts: { caption?: string; alt?: string }) => void
}

/** A picture of the album with its texts, its place and the buttons to move and remove it. */
export function EditedPicture({
  picture,
  index,
  count,
  isDragged,
  isTarget,
  onDragStart,
  onDragOver,
  onDragEnd,
  onMove,
  onRemove,
  onDescribe,
}: EditedPictureProps) {
  const number = index + 1
  return (
    <li
      data-url={picture.url}
      onDragOver={onDragOver}
      className={classNames('album-row', isDragged && 'opacity-50', isTarget && 'album-target')}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons and the number move it without a mouse */}
      <div
        draggable
        className="album-thumb"
        onDragStart={(event) => {
          event.dataTransfer.effectAllowed = 'move'
          onDragStart()
        }}
        onDragEnd={onDragEnd}
      >
        <Picture
          image={picture}
          alt={picture.alt || picture.caption || `Picture ${number}`}
          sizes="(min-width: 640px) 200px, 34vw"
          ratio="4 / 3"
        />
      </div>
      <PictureTexts picture={picture} number={number} onDescribe={onDescribe} />
      <PictureControls index={index} count={count} onMove={onMove} onRemove={onRemove} />
    </li>
  )
}

function PictureTexts({
  picture,
  number,
  onDescribe,
}: Pick<EditedPictureProps, 'picture' | 'onDescribe'> & { number: number }) {
  return (
    <div className="album-texts">
      <TypedText
        label={CAPTION_LABEL}
        name={`${CAPTION_LABEL}, picture ${number}`}
        max={MAX_CAPTION_LENGTH}
        saved={picture.caption}
        onTyped={(caption) => onDescribe({ caption })}
      />
      <details>
        <summary className="cursor-pointer py-2.5 text-sm font-semibold text-brand">
          {IMAGE_ALT_LABEL}
        </summary>
        <TypedText
          label={IMAGE_ALT_LABEL}
          name={`${IMAGE_ALT_LABEL}, picture ${number}`}
          hint={ALBUM_ALT_HINT}
          max={MAX_ALT_LENGTH}
          saved={picture.alt}
          onTyped={(alt) => onDescribe({ alt })}
        />
      </details>
    </div>
  )
}

function PictureControls({
  index,
  count,
  onMove,
  onRemove,
}: Pick<EditedPictureProps, 'index' | 'count' | 'onMove' | 'onRemove'>) {
  const number = index + 1
  return (
    <div className="album-controls">
      <IconButton
        label={`Move picture ${number} earlier`}
        data-move="earlier"
        disabled={index === 0}
        className="disabled:opacity-30"
        onClick={() => onMove(index - 1, 'earlier')}
      >
        <Icon name="arrow-left" />
      </IconButton>
      <SelectField
        label="Place"
        aria-label={`Place of picture ${number}`}
        labelUnseen
        data-move="place"
        options={Array.from({ length: count }, (_, at) => ({ value: String(at + 1), label: String(at + 1) }))}
        value={String(number)}
        onChange={(event) => onMove(Number(event.target.value) - 1, 'place')}
      />
      <IconButton
        label={`Move picture ${number} later`}
        data-move="later"
        disabled={index === count - 1}
        className="disabled:opacity-30"
        onClick={() => onMove(index + 1, 'later')}
      >
        <Icon name="arrow-right" />
      </IconButton>
      <IconButton label={`Remove picture ${number}`} className="ml-auto text-error" onClick={onRemove}>
        <Icon name="trash-2" />
      </IconButton>
    </div>
  )
}

/** A text that is saved while it is typed: after a pause, when the field is left, and when the page is. */
function TypedText({
  label,
  name,
  hint,
  max,
  saved,
  onTyped,
}: {
  label: string
  /** Its accessible name, which tells the pictures apart. */
  name: string
  hint?: string
  max: number
  saved: string
  onTyped: (text: string) => void
}) {
  const [typed, setTyped] = useState<string | null>(null)
  const [text] = useState(() => createTextDraft({ saved, onTyped }, setTyped))
  text.follow({ saved, onTyped })
  useEffect(() => {
    window.addEventListener('pagehide', text.send)
    return () => {
      window.removeEventListener('pagehide', text.send)
      text.leave()
    }
  }, [text])
  return (
    <TextField
      label={label}
      aria-label={name}
      optional
      hint={hint}
      maxLength={max}
      value={typed ?? saved}
      onChange={(event) => text.type(event.target.value)}
      onBlur={text.leave}
    />
  )
}
