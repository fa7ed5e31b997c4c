import { createContext } from 'react-router'
import type { Services } from './services.server.ts'

/** How loaders and actions reach the services: `context.get(servicesContext)`. Set once per request by the server. */
export const servicesContext = createContext<Services>()

/** What search engines read of a document as data, made by app/shared/structured-data.ts. The page's loader sets it. */
export const structuredDataContext = createContext<readonly object[]>([])
