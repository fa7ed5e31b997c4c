import { href, Link } from 'react-router'

/** A link to an article of the help. @param props.article its slug */
export function HelpLink({ article, children }: { article: string; children: string }) {
  return (
    <p className="mt-3 text-sm print:hidden">
      <Link className="link inline-block py-1.5" to={href('/help/:article?', { article })}>
        {children}
      </Link>
    </p>
  )
}
