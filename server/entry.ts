/** What the built server offers to the start script and to the tests. */

export * as pages from 'virtual:react-router/server-build'
export { readConfig } from '../app/config.server.ts'
export { createServices } from '../app/services.server.ts'
export { demoAccounts, fillDemoData } from '../database/demo.ts'
export { createApp } from './app.ts'
export { serve } from './serve.ts'
