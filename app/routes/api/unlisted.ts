import { unlisted } from '../contract.server.ts'

/** API calls, and pages that only a mailed link or a private screen leads to. */
export const middleware = [unlisted]
