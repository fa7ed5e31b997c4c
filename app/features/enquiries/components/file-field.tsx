import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { FieldError } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { fileSizeText } from '../conversation-messages.ts'
import { FIELD_TEXTS, FILE_REFUSALS } from '../messages.ts'
import { MAX_MESSAGE_FILE_BYTES, MAX_MESSAGE_FILES } from '../rules.ts'
import './file-field.css'

const TYPES = 'image/jpeg,image/png,image/webp,image/avif,image/gif,application/pdf'
/** The limits in words. */
export const FILES_HINT = `Up to ${MAX_MESSAGE_FILES} pictures or PDFs of ${MAX_MESSAGE_FILE_BYTES / 1_048_576} MB each.`

/**
 * A field for a message's files: a native file input, and with JavaScript a list of the chosen files, from which each can
 * be removed.
 * @param error the server's message
 * @param isCompact hides the hint, where room is scarce
 */
export function FileField({
  id,
  error,
  isCompact = false,
}: {
  id: string
  error?: string | undefined
  isCompact?: boolean
}) {
  const input = useRef<HTMLInputElement>(null)
  const [files, setFiles] = useState<readonly File[]>([])
  useEffect(() => {
    const form = input.current?.form
    const empty = () => setFiles([])
    form?.addEventListener('reset', empty)
    return () => form?.removeEventListener('reset', empty)
  }, [])

  function remove(file: File) {
    const left = files.filter((other) => other !== file)
    const transfer = new DataTransfer()
    for (const other of left) transfer.items.add(other)
    if (input.current) input.current.files = transfer.files
    setFiles(left)
    input.current?.focus()
  }

  const message = files.length > MAX_MESSAGE_FILES ? FIELD_TEXTS.tooManyFiles : error
  return (
    <div className="file-field">
      <label className="file-field-button" htmlFor={id}>
        <Icon name="paperclip" />
        <span>Attach files</span>
        <input
          ref={input}
          id={id}
          name="files"
          type="file"
          multiple
          accept={TYPES}
          aria-describedby={`${id}-hint${message ? ` ${id}-error` : ''}`}
          aria-invalid={message ? true : undefined}
          onChange={(event: ChangeEvent<HTMLInputElement>) =>
            setFiles([...(event.currentTarget.files ?? [])])
          }
        />
      </label>
      <p id={`${id}-hint`} className={isCompact ? 'unseen' : 'field-hint'}>
        {FILES_HINT}
      </p>
      {files.length > 0 ? (
        <ul className="file-field-list" aria-label="Attached files">
          {files.map((file) => (
            <li key={`${file.name} ${file.size} ${file.lastModified}`}>
              <span className="min-w-0">
                <span className="block truncate">{file.name}</span>
                <span className={problemOf(file) ? 'text-error' : 'text-quiet'}>
                  {problemOf(file) ?? fileSizeText(file.size)}
                </span>
              </span>
              <button
                type="button"
                className="icon-button"
                aria-label={`Remove ${file.name}`}
                onClick={() => remove(file)}
              >
                <Icon name="x" />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <FieldError id={`${id}-error`} message={message} />
    </div>
  )
}

/** Returns why the server would refuse a file; null if the browser sees no reason. */
function problemOf(file: File): string | null {
  if (file.size === 0) return FILE_REFUSALS.empty
  return file.size > MAX_MESSAGE_FILE_BYTES ? FILE_REFUSALS.too_large : null
}
