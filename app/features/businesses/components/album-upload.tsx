import { Button, IconButton } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { uploadFailedText } from '../../files/messages.ts'
import { RETRY_TEXT } from '../album-messages.ts'
import type { AlbumUpload } from '../browser/album-client.ts'

/** A picture on its way: its progress, or why it failed with a way to try again. */
export function UploadedRow({
  upload,
  onRetry,
  onDrop,
}: {
  upload: AlbumUpload
  onRetry: () => void
  onDrop: () => void
}) {
  const { fileName, preview } = upload
  return (
    <li className="album-row album-row-upload">
      <div className="album-thumb">
        <span className="picture" style={{ aspectRatio: '4 / 3' }}>
          <img src={preview} alt="" draggable={false} className="opacity-60" />
        </span>
      </div>
      <div className="album-texts">
        <p className="text-sm font-semibold [overflow-wrap:anywhere]">{fileName}</p>
        {upload.state === 'failed' ? (
          <div role="alert" className="mt-1 grid justify-items-start gap-2">
            <p className="text-sm font-medium text-error [overflow-wrap:anywhere]">
              {uploadFailedText(fileName)}
            </p>
            <p className="text-sm text-quiet">{upload.reason}</p>
            <Button size="small" icon={<Icon name="rotate-ccw" />} onClick={onRetry}>
              {RETRY_TEXT}
            </Button>
          </div>
        ) : (
          <Progress upload={upload} />
        )}
      </div>
      <div className="album-controls">
        <IconButton label={`Leave out ${fileName}`} className="ml-auto text-error" onClick={onDrop}>
          <Icon name="x" />
        </IconButton>
      </div>
    </li>
  )
}

function Progress({ upload }: { upload: Extract<AlbumUpload, { state: 'waiting' | 'sending' }> }) {
  const part = upload.state === 'sending' ? upload.progress : 0
  return (
    <div className="mt-1 grid gap-1.5 text-sm text-quiet">
      <span className="figures">
        {upload.state === 'waiting' ? 'Waiting' : part < 1 ? `${Math.round(part * 100)}%` : 'Almost there'}
      </span>
      <progress
        className="h-1.5 w-full accent-brand"
        value={part}
        max={1}
        aria-label={`Sending ${upload.fileName}`}
      />
    </div>
  )
}
