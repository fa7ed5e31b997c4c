import { unlisted } from '../contract.server.ts'

/** Calls, and what only a link in a mail or a screen of one person leads to. */
export const middleware = [unlisted]
