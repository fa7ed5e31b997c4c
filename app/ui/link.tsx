import type { RefAttributes } from 'react'
import { type LinkProps, Link as RouterLink, useViewTransitionState } from 'react-router'

type Props = LinkProps & RefAttributes<HTMLAnchorElement>

/** An absolute path that the router would leave as it is: without dots, double slashes or an empty query. */
const RESOLVED = /^(?:\/|(?:\/[\w-]+)+)(?:\?[^#]+)?(?:#.+)?$/

/**
 * The server's link. The router's resolves its address against all matched routes, in several hooks, which took a
 * twentieth of the rendering of a list. The element is the same.
 */
function DocumentLink(props: Props) {
  const {
    to,
    discover = 'render',
    prefetch = 'none',
    relative: _relative,
    reloadDocument: _reload,
    replace: _replace,
    mask,
    state: _state,
    preventScrollReset: _scroll,
    viewTransition: _transition,
    defaultShouldRevalidate: _revalidate,
    target,
    ...rest
  } = props
  if (typeof to !== 'string' || !RESOLVED.test(to) || mask || prefetch !== 'none')
    return <RouterLink {...props} />
  return <a {...rest} href={to} target={target} data-discover={discover === 'render' ? 'true' : undefined} />
}

/** React Router's link, for the components of which a page has many. */
export const Link = import.meta.env.SSR ? DocumentLink : RouterLink

/** Whether the view moves to a path; never in a document. */
export const useMovesTo = import.meta.env.SSR ? () => false : useViewTransitionState
