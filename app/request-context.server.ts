import { createContext } from 'react-router'
import type { Services } from './services.server.ts'

/** How loaders and actions reach the services: `context.get(servicesContext)`. Set once per request by the server. */
export const servicesContext = createContext<Services>()
