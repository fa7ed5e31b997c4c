import { Tag } from '../../../ui/tag.tsx'
import { SAMPLE_LABEL, SAMPLE_TEXT } from '../messages.ts'

/** Says that a document is a sample. */
export function SampleNote() {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-quiet">
      <Tag>{SAMPLE_LABEL}</Tag>
      <span className="min-w-0">{SAMPLE_TEXT}</span>
    </p>
  )
}
