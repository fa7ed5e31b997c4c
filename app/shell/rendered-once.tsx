import { type ComponentProps, createContext, use } from 'react'

type Tag = 'header' | 'footer'

/** The parts that one document can take over from earlier ones. */
export type RenderedParts = {
  /**
   * Returns the HTML inside a part, or undefined if it has to be rendered. It is then kept for later documents.
   * @param opening the beginning of its tag, which no other element of a document has
   */
  find(tag: Tag, opening: string, sameFor: string): string | undefined
}

/** Only the server provides it. Hydration finds the same HTML, whether it was rendered now or before. */
export const RenderedPartsContext = createContext<RenderedParts | null>(null)

/**
 * An element of the frame whose HTML is the same in many documents, so the server renders it once and not for each
 * document. Nothing in it may differ between visitors, write into the head, or contain a script.
 * @param props.sameFor everything that its HTML depends on; null renders it each time
 */
export function RenderedOnce({
  as,
  className,
  sameFor,
  children,
  ...rest
}: Omit<ComponentProps<'header'>, 'className'> & { as: Tag; className: string; sameFor: string | null }) {
  const Element: 'header' = as as 'header'
  // A condition of the build: the browser's has neither the context nor the copy.
  if (import.meta.env.SSR && sameFor !== null) {
    const html = use(RenderedPartsContext)?.find(as, `<${as} class="${className}"`, sameFor)
    if (html !== undefined)
      // biome-ignore lint/security/noDangerouslySetInnerHtml: what React rendered itself
      return <Element className={className} {...rest} dangerouslySetInnerHTML={{ __html: html }} />
  }
  return (
    <Element className={className} {...rest}>
      {children}
    </Element>
  )
}
