/** The built server's exports for the start script and the tests. */

export * as pages from 'virtual:react-router/server-build'
export { prove } from '../app/features/ledger/proof-commands.server.ts'
export { proofDeps } from '../app/services/deps.server.ts'
export { backup, createServices } from '../app/services.server.ts'
export { closeDemoAccounts, demoAccounts, fillDemoData, fillDemoHistory } from '../content/demo/fill.ts'
export { createApp } from './app.ts'
export { onlyObservation } from './observation.ts'
export { listRoutes, unlistedPaths } from './route-contracts.ts'
export { serve } from './serve.ts'
export { createLog, findWarnings, readConfig, readDataSettings } from './settings.ts'
