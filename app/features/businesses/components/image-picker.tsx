import { type DragEvent, useId, useState } from 'react'
import { Button, IconButton } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { DropArea, DropProblems, type DropRejection } from '../../../ui/drop-area.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useKeptFocus } from '../../../ui/kept-focus.ts'
import { Picture, PicturePlaceholder } from '../../../ui/picture.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { DROP_TEXTS, uploadFailedText } from '../../files/messages.ts'
import { UPLOAD_TYPES } from '../../files/rules.ts'
import type { ListedImage } from '../image-rules.ts'
import { IMAGE_ALT_LABEL } from '../listing-messages.ts'
import { MAX_IMAGES } from '../rules.ts'
import { MAX_ALT_LENGTH } from '../schema.ts'

/**
 * The images of the listing form (Specification, section 2): a drop area, and previews that can be removed and
 * reordered by dragging or with arrow buttons. Cards show the first image.
 * @param error the error of the images in the last save
 */
export function ImagePicker({
  images,
  error,
  disabled,
  onFiles,
  onRemove,
  onDescribe,
  onMove,
  onRetry,
}: {
  images: readonly ListedImage[]
  error: string | undefined
  disabled: boolean
  /** Accepts the files that it can. Returns a warning for each of the others. */
  onFiles: (files: File[]) => string[]
  onRemove: (id: string) => void
  onDescribe: (id: string, alt: string) => void
  onMove: (id: string, to: number) => void
  onRetry: (id: string) => void
}) {
  const [warnings, setWarnings] = useState<string[]>([])
  const [dragged, setDragged] = useState<string | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const warningsId = useId()
  const box = useKeptFocus<HTMLDivElement>()
  const shown = [...new Set([...(error ? [error] : []), ...warnings])]

  const drop = (files: File[], rejections: DropRejection[]) => {
    const refused = rejections.flatMap(({ fileName, codes }) =>
      codes.map((code) => `${fileName}: ${DROP_TEXTS[code]}`),
    )
    setWarnings([...onFiles(files), ...refused])
  }
  const move = (image: ListedImage, to: number) => {
    onMove(image.id, to)
    setAnnouncement(`${image.fileName} is now image ${to + 1} of ${images.length}.`)
  }

  return (
    <div ref={box} className="grid gap-4">
      <DropArea
        label="Images"
        buttonText="Choose images"
        hint={
          <>
            <span className="max-md:hidden">Or drop them here. </span>Up to {MAX_IMAGES}, 2 MB each. Wide ones
            look best.
          </>
        }
        describedBy={warningsId}
        accept={UPLOAD_TYPES}
        multiple
        disabled={disabled}
        onDrop={drop}
      />
      <DropProblems id={warningsId} problems={shown} />
      {images.length > 0 ? (
        <ol className="grid grid-cols-2 gap-4 sm:grid-cols-3" aria-label="Images in order">
          {images.map((image, index) => (
            <PickedImage
              key={image.id}
              image={image}
              index={index}
              count={images.length}
              disabled={disabled}
              isDragged={dragged === image.id}
              onDragStart={() => setDragged(image.id)}
              onDragOver={(event) => {
                if (!dragged) return
                event.preventDefault()
                if (dragged !== image.id) onMove(dragged, index)
              }}
              onDragEnd={() => setDragged(null)}
              onMove={(to) => move(image, to)}
              onRemove={() => onRemove(image.id)}
              onDescribe={(alt) => onDescribe(image.id, alt)}
              onRetry={() => onRetry(image.id)}
            />
          ))}
        </ol>
      ) : null}
      <p className="unseen" aria-live="polite">
        {announcement}
      </p>
    </div>
  )
}

/** One image with the buttons to move, remove and retry it. */
function PickedImage({
  image,
  index,
  count,
  disabled,
  isDragged,
  onDragStart,
  onDragOver,
  onDragEnd,
  onMove,
  onRemove,
  onDescribe,
  onRetry,
}: {
  image: ListedImage
  index: number
  count: number
  disabled: boolean
  isDragged: boolean
  onDragStart: () => void
  onDragOver: (event: DragEvent) => void
  onDragEnd: () => void
  onMove: (to: number) => void
  onRemove: () => void
  onDescribe: (alt: string) => void
  onRetry: () => void
}) {
  return (
    <li onDragOver={onDragOver} className={classNames('grid content-start gap-1', isDragged && 'opacity-50')}>
      {/* The picture alone is dragged: the mouse selects the text of the fields and of an error. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow buttons move it without a mouse */}
      <div
        draggable={!disabled}
        onDragStart={(event) => {
          event.dataTransfer.effectAllowed = 'move'
          onDragStart()
        }}
        onDragEnd={onDragEnd}
      >
        <Preview image={image} isFirst={index === 0} />
      </div>
      <div className="flex items-center justify-between">
        <span className="flex">
          <IconButton
            label={`Move image ${index + 1} forward`}
            disabled={disabled || index === 0}
            className="disabled:opacity-30"
            onClick={() => onMove(index - 1)}
          >
            <Icon name="arrow-left" />
          </IconButton>
          <IconButton
            label={`Move image ${index + 1} back`}
            disabled={disabled || index === count - 1}
            className="disabled:opacity-30"
            onClick={() => onMove(index + 1)}
          >
            <Icon name="arrow-right" />
          </IconButton>
        </span>
        <IconButton
          label={`Remove image ${index + 1}`}
          disabled={disabled}
          className="text-error"
          onClick={onRemove}
        >
          <Icon name="trash-2" />
        </IconButton>
      </div>
      {image.state === 'stored' ? (
        <TextField
          label={IMAGE_ALT_LABEL}
          aria-label={`${IMAGE_ALT_LABEL}, image ${index + 1}`}
          optional
          maxLength={MAX_ALT_LENGTH}
          disabled={disabled}
          value={image.image.alt ?? ''}
          onChange={(event) => onDescribe(event.target.value)}
        />
      ) : null}
      {image.state === 'failed' ? (
        <div role="alert" className="grid justify-items-start gap-2">
          <p className="text-sm font-medium text-error [overflow-wrap:anywhere]">
            {uploadFailedText(image.fileName)}
          </p>
          <p className="text-sm text-quiet">{image.reason}</p>
          <Button size="small" icon={<Icon name="rotate-ccw" />} onClick={onRetry}>
            Try again
          </Button>
        </div>
      ) : null}
    </li>
  )
}

function Preview({ image, isFirst }: { image: ListedImage; isFirst: boolean }) {
  return (
    <div className="relative">
      {image.preview ? (
        <span className="picture" style={{ aspectRatio: '4 / 3' }}>
          <PreviewImage src={image.preview} alt={image.fileName} faded={image.state !== 'stored'} />
        </span>
      ) : (
        <Picture
          image={image.state === 'stored' ? image.image : null}
          alt={image.fileName}
          sizes="(min-width: 560px) 200px, 45vw"
          ratio="4 / 3"
        />
      )}
      {isFirst ? (
        <span className="absolute top-2 left-2 rounded-full bg-glow px-2.5 py-0.5 text-xs font-semibold text-on-glow">
          Shown first
        </span>
      ) : null}
      {image.state === 'sending' ? (
        <span className="absolute inset-x-3 bottom-3 grid gap-1.5 rounded-control bg-surface/90 px-3 py-2 text-xs">
          <span className="flex items-center gap-2">
            <Spinner /> {image.progress < 1 ? `${Math.round(image.progress * 100)}%` : 'Almost there'}
          </span>
          <progress
            className="h-1.5 w-full accent-brand"
            value={image.progress}
            max={1}
            aria-label={`Sending ${image.fileName}`}
          />
        </span>
      ) : null}
    </div>
  )
}

/** A preview of the file, or a placeholder if the browser can't show it. */
function PreviewImage({ src, alt, faded }: { src: string; alt: string; faded: boolean }) {
  const [failed, setFailed] = useState(false)
  if (failed) return <PicturePlaceholder alt={alt} />
  return (
    <img
      src={src}
      alt={alt}
      draggable={false}
      className={faded ? 'opacity-45' : undefined}
      onError={() => setFailed(true)}
    />
  )
}
