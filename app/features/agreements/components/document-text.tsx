import type { DocumentBlock } from '../rules.ts'

/** The text of a document, without its title. @param props.heading the level of its headings on this page */
export function DocumentText({
  blocks,
  heading: Heading,
}: {
  blocks: readonly DocumentBlock[]
  heading: 'h2' | 'h3' | 'h4'
}) {
  return blocks.map((block) => {
    if (block.kind === 'list')
      return (
        <ul key={block.items[0]}>
          {block.items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      )
    if (block.kind === 'paragraph') return <p key={block.text}>{block.text}</p>
    return (
      <Heading key={block.text} className={Heading === 'h2' ? 'text-xl' : 'mt-5 text-base font-semibold'}>
        {block.text}
      </Heading>
    )
  })
}
