import { type ReactNode, useId } from 'react'
import { type FileRejection, useDropzone } from 'react-dropzone'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'

/** react-dropzone's codes for a rejected file. */
export type DropCode = 'file-invalid-type' | 'file-too-large' | 'file-too-small' | 'too-many-files'

export type DropRejection = { fileName: string; codes: DropCode[] }

/**
 * An area for choosing, dropping or pasting files. Rejections have codes; the caller provides the wording.
 * @param props.accept MIME types with their extensions, as in react-dropzone
 */
export function DropArea({
  label,
  buttonText,
  hint,
  describedBy,
  accept,
  multiple = false,
  maxBytes,
  disabled,
  onDrop,
}: {
  /** The accessible name of the file input. */
  label: string
  buttonText: string
  hint: ReactNode
  describedBy?: string | undefined
  accept: Record<string, string[]>
  multiple?: boolean
  maxBytes?: number
  disabled?: boolean
  onDrop: (files: File[], rejections: DropRejection[]) => void
}) {
  const id = useId()
  const { getRootProps, getInputProps, isDragActive, isDragReject, open } = useDropzone({
    accept,
    multiple,
    disabled,
    minSize: 1,
    maxSize: maxBytes,
    // The button handles these, so that the area is no second tab stop.
    noClick: true,
    noKeyboard: true,
    onDrop: (files: File[], rejections: FileRejection[]) => onDrop(files, rejections.map(toRejection)),
  })
  return (
    <div
      {...getRootProps({ role: 'group', 'aria-label': label })}
      tabIndex={undefined}
      className={classNames(
        'grid justify-items-center gap-3 rounded-card border border-dashed border-line-strong bg-surface px-5 py-7 text-center transition-colors',
        isDragActive && !isDragReject && 'border-brand bg-brand-soft',
        isDragReject && 'border-error bg-error-soft',
      )}
    >
      <input {...getInputProps({ id, 'aria-label': label, 'aria-describedby': describedBy })} />
      <Icon name="image-plus" className="size-8 text-brand" />
      <Button size="small" onClick={open} disabled={disabled}>
        {buttonText}
      </Button>
      <p className="text-sm text-quiet">{hint}</p>
    </div>
  )
}

/** The problems of the chosen files, one per line. `id` is the area's `describedBy`. */
export function DropProblems({ id, problems }: { id: string; problems: readonly string[] }) {
  return (
    <div id={id} role="alert" className="empty:hidden">
      {problems.map((problem) => (
        <p key={problem} className="field-error">
          <Icon name="circle-alert" />
          <span>{problem}</span>
        </p>
      ))}
    </div>
  )
}

function toRejection({ file, errors }: FileRejection): DropRejection {
  return { fileName: file.name, codes: errors.map((error) => error.code as DropCode) }
}
