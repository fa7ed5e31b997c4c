// Stands in for React Router's module of the discovery of routes (vite.config.ts): every route is in the manifest from the
// start (react-router.config.ts), so a browser never has to ask for one.

/** @public */
export const isFogOfWarEnabled = () => false
/** @public */
export const getPatchRoutesOnNavigationFunction = () => undefined
/** @public */
export const useFogOFWarDiscovery = () => {}
/** @public */
export const getPartialManifest = <Manifest>(manifest: Manifest) => manifest
