import { textParts } from '../rules.ts'

/** Text that a person has typed, with its links as links. */
export function LinkedText({ text }: { text: string }) {
  return textParts(text).map((part, index) =>
    part.href ? (
      <a
        // biome-ignore lint/suspicious/noArrayIndexKey: a sent text never changes
        key={index}
        className="link"
        href={part.href}
        target="_blank"
        rel="nofollow noopener noreferrer ugc"
      >
        {part.text}
      </a>
    ) : (
      part.text
    ),
  )
}
