import { type ComponentType, memo, type ReactNode, Suspense, use } from 'react'
import { canReach } from './connection.ts'
import { claimReload, forgetReload } from './reload-once.ts'

export type Deferred<Props> = ComponentType<Props> & {
  /** Fetches its script, if nobody has yet; never fails. */
  load: () => Promise<void>
  /** Fetches its script, and fails if that can't be had: for a page that can't be drawn without it. */
  fetch: () => Promise<void>
}

/**
 * A part of a page whose script is fetched once the page works. Its HTML is in the document from the start and stays as it
 * is meanwhile, so it must be of use without a script: links, and forms that can be sent as they are. Where the browser
 * draws a page itself, `handle.deferred` of its route has the router fetch the part first (load-route-module.ts).
 * @param name for the one reload when the script can't be fetched, as after a deploy; after that the part is left out
 * @param find imports it
 * @param meanwhile stands where the browser draws the part before its script is there
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
      // A reload without a connection would replace the page by the browser's error. The HTML stays as it is.
      if (!(await canReach(window.location.href))) return new Promise<void>(() => {})
      if (!claimReload(name)) {
        Part = () => null
        return
      }
      window.location.reload()
      // The page is going; nothing is to be shown of the failure meanwhile.
      return new Promise<void>(() => {})
    })
    return loading
  }
  function Found(props: Props) {
    if (!Part) use(load())
    return Part ? <Part {...props} /> : null
  }
  // Without new props it is not drawn anew: React would throw the document's HTML away if it had to before the script.
  const Framed = memo((props: Props) => (
    <Suspense fallback={meanwhile}>
      <Found {...props} />
    </Suspense>
  ))
  return Object.assign(Framed as ComponentType<Props>, { load, fetch: fetchPart })
}
