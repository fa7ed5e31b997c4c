import { type ComponentType, memo, type ReactNode, Suspense, use } from 'react'
import { canReach } from './connection.ts'
import { claimReload, forgetReload } from './reload-once.ts'

export type Deferred<Props> = ComponentType<Props> & {
  /** Fetches the script once; never fails. */
  load: () => Promise<void>
  /** Fetches the script once and fails if it can't: for a page that can't be rendered without it. */
  fetch: () => Promise<void>
}

/**
 * A part of a page whose script is fetched once the page works. Its HTML is in the document from the start and stays
 * until then, so it must work without a script: links, and plain forms. Before the browser renders a page itself, the
 * `handle.deferred` of its route makes the router fetch the part (load-route-module.ts).
 * @param name identifies the script for the one reload when it can't be fetched, as after a deploy. If it then fails
 * again, the part is left out
 * @param find imports the component
 * @param meanwhile the fallback when the browser renders the part before its script has loaded
 */
export function deferred<Props extends object>(
  name: string,
  find: () => Promise<ComponentType<Props>>,
  meanwhile?: ReactNode,
): Deferred<Props> {
  let Part: ComponentType<Props> | null = null
  let fetching: Promise<void> | null = null
  let loading: Promise<void> | null = null
  const fetchPart = () => {
    fetching ??= find().then((found) => {
      Part = found
      forgetReload(name)
    })
    return fetching
  }
  const load = () => {
    loading ??= fetchPart().catch(async (error) => {
      if (typeof window === 'undefined') throw error
      // Reloading without a connection would replace the page with the browser's error page. The HTML stays as it is.
      if (!(await canReach(window.location.href))) return new Promise<void>(() => {})
      if (!claimReload(name)) {
        Part = () => null
        return
      }
      window.location.reload()
      // The page is being left: show nothing of the failure until then.
      return new Promise<void>(() => {})
    })
    return loading
  }
  function Found(props: Props) {
    if (!Part) use(load())
    return Part ? <Part {...props} /> : null
  }
  // `memo` skips renders without new props: a render before the script has loaded makes React throw the document's HTML
  // away.
  const Framed = memo((props: Props) => (
    <Suspense fallback={meanwhile}>
      <Found {...props} />
    </Suspense>
  ))
  return Object.assign(Framed as ComponentType<Props>, { load, fetch: fetchPart })
}
