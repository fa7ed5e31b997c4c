import { type ComponentType, memo, type ReactNode, Suspense, use } from 'react'
import { canReach, retryDelayMs } from './connection.ts'
import { PartBoundary } from './part-boundary.tsx'
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
 * `handle.deferred` of its route makes the router fetch the part (load-route-module.ts). A part that fails keeps its HTML.
 * @param name identifies the part in the log, and its script for the one reload when it can't be fetched, as after a
 * deploy
 * @param find imports the component
 * @param meanwhile the fallback when the browser renders the part before its script has loaded, for a part that the
 * server never renders
 * @param exported the component's name in its module. With it, Chromium can fetch the script again after a lost
 * connection, too
 */
export function deferred<Props extends object>(
  name: string,
  find: () => Promise<ComponentType<Props>>,
  meanwhile?: ReactNode,
  exported?: string,
): Deferred<Props> {
  let Part: ComponentType<Props> | null = null
  let missing: { cause: unknown } | null = null
  let fetching: Promise<void> | null = null
  let loading: Promise<void> | null = null
  const keep = (found: ComponentType<Props>) => {
    Part = found
    forgetReload(name)
  }
  const fetchPart = () => {
    fetching ??= find()
      .then(keep)
      .catch((error) => {
        fetching = null
        throw error
      })
    return fetching
  }
  const load = () => {
    loading ??= fetchPart().catch(async (error) => {
      if (typeof window === 'undefined') throw error
      // Reloading without a connection would replace the page with the browser's error page. The HTML stays as it is.
      if (!(await canReach(window.location.href))) {
        await connectionIsBack()
        return fetchPart().catch(async () => {
          const found = exported ? await importAgain(error, exported) : null
          // No reload here: the page may already have typed values.
          return found ? keep(found as ComponentType<Props>) : new Promise<void>(() => {})
        })
      }
      if (!claimReload(name)) {
        missing = { cause: error }
        return
      }
      window.location.reload()
      // The page is being left: show nothing of the failure until then.
      return new Promise<void>(() => {})
    })
    return loading
  }
  function Found(props: Props) {
    if (missing) throw missing.cause
    if (!Part) use(load())
    return Part ? <Part {...props} /> : null
  }
  // `memo` skips renders without new props: a render before the script has loaded makes React throw the document's HTML
  // away.
  const Framed = memo((props: Props) => (
    <PartBoundary part={name} keepsHtml={meanwhile === undefined} needsReload={() => missing !== null}>
      <Suspense fallback={meanwhile}>
        <Found {...props} />
      </Suspense>
    </PartBoundary>
  ))
  return Object.assign(Framed as ComponentType<Props>, { load, fetch: fetchPart })
}

/** Resolves once the server responds: it is asked when the browser goes online, and after increasing delays. */
async function connectionIsBack(): Promise<void> {
  for (let attempts = 1; ; attempts += 1) {
    await new Promise<void>((resolve) => {
      const ask = () => {
        clearTimeout(timer)
        window.removeEventListener('online', ask)
        resolve()
      }
      const timer = setTimeout(ask, retryDelayMs(attempts))
      window.addEventListener('online', ask)
    })
    if (await canReach(window.location.href)) return
  }
}

/**
 * Imports a script whose import failed. Chromium caches the failure for the document's lifetime, so the address gets a
 * query; Chromium's error names the address.
 * @returns null if it can't be imported
 */
async function importAgain(error: unknown, exported: string): Promise<unknown> {
  const address = /https?:\/\/\S+/.exec(String(error))?.[0]
  if (!address) return null
  try {
    const found = (await import(/* @vite-ignore */ `${address}?again`)) as Record<string, unknown>
    return found[exported] ?? null
  } catch {
    return null
  }
}
