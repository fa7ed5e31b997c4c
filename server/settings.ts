/** The part of the built server that the process above several needs: it reads the settings and starts the others. */

export { findWarnings } from '../app/config/accounts.server.ts'
export { readConfig, readDataSettings } from '../app/config.server.ts'
export { createLog } from '../app/log.server.ts'
