import { createContext, type RouterContextProvider } from 'react-router'
import type { AccountSession } from './adapters/accounts/port.ts'
import type { Topic } from './adapters/live-updates/port.ts'
import type { Services } from './services.server.ts'

/** The services, for loaders and actions: `context.get(servicesContext)`. The server sets it once per request. */
export const servicesContext = createContext<Services>()

/** A request's session lookup. Only `findSession` in routes/require-session.server.ts uses it. */
export const sessionContext = createContext<{
  request: Request
  session: Promise<AccountSession | null>
} | null>(null)

/** Collects the topics whose change makes a cached page outdated; null when the page is for one request alone. */
export const cacheTopicsContext = createContext<Set<Topic> | null>(null)

/** Published for rows that don't determine the pages that show them (migration 0017). */
const EVERYTHING_CHANGED: Topic = 'pages:all'

/**
 * Lets the server cache a public page (routes/public-pages.ts) for everyone. A page whose loader doesn't call this is
 * never cached.
 * @param topics all topics whose change makes the page outdated, from routes/page-topics.ts
 */
export function cachePage(context: Readonly<RouterContextProvider>, topics: readonly Topic[]): void {
  for (const topic of [EVERYTHING_CHANGED, ...topics]) context.get(cacheTopicsContext)?.add(topic)
}

/** The seconds that an address must wait after too many searches; 0 if it may search. */
export const searchWaitContext = createContext(0)

/** Makes the response of an action whose body the server has already refused; null for every other request. */
export const bodyRefusalContext = createContext<(() => Response) | null>(null)

/** Makes the response in place of the loaders and actions that a layout guards; null if the person may use them. */
export const refusalContext = createContext<(() => unknown) | null>(null)

/** Whether search engines must not index the document (`unlisted` in routes/contract.server.ts). */
export const unlistedContext = createContext(false)

/** The path prefixes that robots.txt disallows. The server derives them from the routes. */
export const unlistedPathsContext = createContext<readonly string[]>([])

/**
 * A random nonce for one rendering, which React adds to our own document's scripts. The server removes it again and
 * allows the scripts that had it. Empty in development.
 */
export const scriptMarkContext = createContext('')

/** The document that React rendered, which in production isn't in the response; null for every other response. */
export const documentContext = createContext<string | null>(null)

/** The document's JSON-LD for search engines, made by app/shared/structured-data.ts. The page's loader sets it. */
export const structuredDataContext = createContext<readonly object[]>([])

/** An operator's view of the product as another account, whose name its pages announce. */
export type OperatorViewContext = { name: string; session: AccountSession }

/** The view of a request; null for all others. In a view, only the loaders of `routes/view-pages.server.ts` run. */
export const operatorViewContext = createContext<OperatorViewContext | null>(null)
