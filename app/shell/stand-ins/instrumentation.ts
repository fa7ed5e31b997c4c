// Stands in for React Router's module of the same name (vite.config.ts): nothing is measured in the browser, so nobody
// gives the router anything to call.

/** @public */
export const getRouteInstrumentationUpdates = () => ({})
/** @public */
export const instrumentClientSideRouter = <Router>(router: Router) => router
/** @public */
export const consumeInstrumentationClientResultMetaReceiver = () => undefined
