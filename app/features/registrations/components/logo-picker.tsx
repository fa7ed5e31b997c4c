import { useEffect, useId, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { DropArea, DropProblems, type DropRejection } from '../../../ui/drop-area.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { DROP_TEXTS } from '../../files/messages.ts'
import { MAX_UPLOAD_BYTES, UPLOAD_TYPES } from '../../files/rules.ts'

/** The logo of a registration: the stored one, a file to upload with the next save, or none. */
export type Logo = { kind: 'none' } | { kind: 'stored'; url: string } | { kind: 'file'; file: File }

/** Chooses, previews and removes the logo (Specification, section 5: it must be an image). */
export function LogoPicker({
  logo,
  disabled,
  onChange,
}: {
  logo: Logo
  disabled: boolean
  onChange: (logo: Logo) => void
}) {
  const [problems, setProblems] = useState<string[]>([])
  const preview = usePreview(logo)
  const problemsId = useId()
  const drop = (files: File[], rejections: DropRejection[]) => {
    const [file] = files
    if (file) onChange({ kind: 'file', file })
    setProblems(
      rejections.flatMap(({ fileName, codes }) => codes.map((code) => `${fileName}: ${DROP_TEXTS[code]}`)),
    )
  }
  return (
    <div className="field">
      <p className="field-label">
        Logo<span className="field-optional">(optional)</span>
      </p>
      {preview ? (
        <div className="mb-2 flex flex-wrap items-center gap-x-5 gap-y-3">
          {/* A file that can't be displayed is refused when it is sent. */}
          <img
            key={preview}
            src={preview}
            alt=""
            className="size-24 rounded-card border border-line bg-surface object-contain"
          />
          {logo.kind === 'file' ? (
            <p className="min-w-0 text-sm text-quiet [overflow-wrap:anywhere]">{logo.file.name}</p>
          ) : null}
          <Button
            size="small"
            variant="danger"
            disabled={disabled}
            icon={<Icon name="trash-2" />}
            onClick={() => onChange({ kind: 'none' })}
          >
            Remove logo
          </Button>
        </div>
      ) : null}
      <DropArea
        label="Logo"
        buttonText={preview ? 'Choose another' : 'Choose a logo'}
        hint={
          <>
            <span className="max-md:hidden">Or drop it here. </span>An image of at most 5 MB. Square images
            look best.
          </>
        }
        describedBy={problemsId}
        accept={UPLOAD_TYPES}
        maxBytes={MAX_UPLOAD_BYTES.logo}
        disabled={disabled}
        onDrop={drop}
      />
      <DropProblems id={problemsId} problems={problems} />
    </div>
  )
}

function usePreview(logo: Logo): string | null {
  const file = logo.kind === 'file' ? logo.file : null
  const [blobUrl, setBlobUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!file) return setBlobUrl(null)
    const url = URL.createObjectURL(file)
    setBlobUrl(url)
    return () => URL.revokeObjectURL(url)
  }, [file])
  return logo.kind === 'stored' ? logo.url : blobUrl
}
