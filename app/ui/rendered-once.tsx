import { type ComponentProps, type ComponentType, createContext, type ElementType, use } from 'react'

/** Values that JSON holds as a whole: no function, no element, no date. */
type Json = string | number | boolean | null | undefined | readonly Json[] | { readonly [name: string]: Json }

/** The HTML of parts of documents, each rendered once. */
export type RenderedParts = {
  /**
   * Returns the HTML of a component, rendered on its own from its properties as JSON, now or earlier.
   * @returns null if it can't be rendered on its own
   */
  htmlOf<Data extends object>(inside: ComponentType<Data>, data: Data): string | null
}

/** Only the server provides it. */
export const RenderedPartsContext = createContext<RenderedParts | null>(null)

type Tag = 'article' | 'section' | 'nav' | 'div' | 'ul' | 'select' | 'datalist'

/**
 * An element whose inside the server renders once and puts into all documents with the same data (decision 76). The key is
 * computed from all the data, and the inside is rendered from the key alone, outside of the document. So it can't show
 * anything else, such as the visitor. A context has no value in it, and it is not kept with an id or a tag of the head:
 * tests/requests/rendered-parts.test.ts fails for both.
 * @param props.inside a component of a module, never one made while another renders
 * @param props.data the component's properties
 * @param props.isKept false renders it for each document
 */
export function RenderedOnce<Kind extends Tag, Data extends { [name in keyof Data]: Json }>({
  as,
  inside: Inside,
  data,
  isKept = true,
  ...rest
}: Omit<ComponentProps<Kind>, 'children'> & {
  as: Kind
  inside: ComponentType<Data>
  data: Data
  isKept?: boolean
}) {
  // The properties are those of any of these elements, which TypeScript can't follow through a generic rest.
  const Element = as as ElementType
  // A condition of the build: the browser's has neither the context nor the copy.
  if (import.meta.env.SSR && isKept) {
    // The last hook: React's hooks of this component don't survive another rendering.
    const html = use(RenderedPartsContext)?.htmlOf(Inside, data)
    // biome-ignore lint/security/noDangerouslySetInnerHtml: what React rendered itself
    if (html) return <Element {...rest} dangerouslySetInnerHTML={{ __html: html }} />
  }
  return (
    <Element {...rest}>
      <Inside {...data} />
    </Element>
  )
}
