import { createContext, type RouterContextProvider } from 'react-router'
import type { AccountSession } from './adapters/accounts/port.ts'
import type { Topic } from './adapters/live-updates/port.ts'
import type { Services } from './services.server.ts'

/** How loaders and actions reach the services: `context.get(servicesContext)`. Set once per request by the server. */
export const servicesContext = createContext<Services>()

/** The session that was looked up for a request: `findSession` in routes/require-session.server.ts alone uses it. */
export const sessionContext = createContext<{
  request: Request
  session: Promise<AccountSession | null>
} | null>(null)

/** Where the topics gather until whose change the page can be kept; null where a page is made for one request alone. */
export const cacheTopicsContext = createContext<Set<Topic> | null>(null)

/** Told where the rows can't say which pages they concern (migration 0017). */
const EVERYTHING_CHANGED: Topic = 'pages:all'

/**
 * Lets the server keep a public page (routes/public-pages.ts) for everybody. A page whose loader does not say so is never
 * kept.
 * @param topics all whose change makes it another page, as routes/page-topics.ts names them
 */
export function cachePage(context: Readonly<RouterContextProvider>, topics: readonly Topic[]): void {
  for (const topic of [EVERYTHING_CHANGED, ...topics]) context.get(cacheTopicsContext)?.add(topic)
}

/** How many seconds an address that has searched too often has to wait; 0 where it may search. */
export const searchWaitContext = createContext(0)

/** Makes the answer of an action whose body the server has refused already; null for every other request. */
export const bodyRefusalContext = createContext<(() => Response) | null>(null)

/** Makes the answer in place of the loaders and actions that a layout guards; null where it lets the person in. */
export const refusalContext = createContext<(() => unknown) | null>(null)

/** Whether the document is nothing for search engines (`unlisted` in routes/contract.server.ts). */
export const unlistedContext = createContext(false)

/** How the paths begin that robots.txt keeps crawlers out of. The server reads them out of the routes. */
export const unlistedPathsContext = createContext<readonly string[]>([])

/**
 * A secret of one rendering, which React puts on the scripts of our own document as their nonce. The server takes it off
 * again and allows the scripts that had it. Empty in development.
 */
export const scriptMarkContext = createContext('')

/** What search engines read of a document as data, made by app/shared/structured-data.ts. The page's loader sets it. */
export const structuredDataContext = createContext<readonly object[]>([])
