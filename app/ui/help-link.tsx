import { href, Link } from 'react-router'

/**
 * A link to an article of the help.
 * @param props.article its slug
 * @param props.part the part of the article, such as 'what-you-pay'; without one, the link leads to its beginning
 */
export function HelpLink({ article, part, children }: { article: string; part?: string; children: string }) {
  return (
    <p className="mt-3 text-sm print:hidden">
      <Link
        className="link inline-block py-1.5"
        to={{ pathname: href('/help/:article?', { article }), hash: part ?? '' }}
      >
        {children}
      </Link>
    </p>
  )
}
