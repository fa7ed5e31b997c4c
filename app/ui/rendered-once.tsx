import { type ComponentProps, createContext, type ElementType, use } from 'react'

type Tag = 'header' | 'footer' | 'article' | 'section' | 'nav' | 'div' | 'li' | 'form' | 'select' | 'datalist'

/** The parts that one document can take over from earlier ones. */
export type RenderedParts = {
  /**
   * Returns what React writes inside the element of a part: something that the server replaces by the HTML of an earlier
   * document. A part that no document had yet gets a mark on its element instead.
   */
  find(tag: Tag, sameFor: string): { inside: string } | { mark: Record<string, string> }
}

/** Only the server provides it. Hydration finds the same HTML, whether it was rendered now or before. */
export const RenderedPartsContext = createContext<RenderedParts | null>(null)

/**
 * An element whose HTML is the same in many documents, so the server renders it once and not for each document. Nothing
 * in it may differ between visitors, write into the head, or contain a script.
 * Ids of `useId` say where in the document they are made, so a part with some begins its `sameFor` with an id of its own.
 * @param props.sameFor everything that the HTML inside depends on, beginning with the name of the component. A falsy
 * value renders it each time. `import.meta.env.SSR && …` leaves the expression out of the browser's build
 */
export function RenderedOnce<Kind extends Tag>({
  as,
  sameFor,
  children,
  ...rest
}: ComponentProps<Kind> & { as: Kind; sameFor: string | false | null | undefined }) {
  // The properties are those of any of these elements, which TypeScript can't follow through a generic rest.
  const Element = as as ElementType
  // A condition of the build: the browser's has neither the context nor the copy.
  if (import.meta.env.SSR && sameFor) {
    const found = use(RenderedPartsContext)?.find(as, sameFor)
    if (found && 'inside' in found)
      // biome-ignore lint/security/noDangerouslySetInnerHtml: what React rendered itself
      return <Element {...rest} dangerouslySetInnerHTML={{ __html: found.inside }} />
    if (found)
      return (
        <Element {...rest} {...found.mark}>
          {children}
        </Element>
      )
  }
  return <Element {...rest}>{children}</Element>
}
