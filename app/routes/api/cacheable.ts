import { cacheable } from '../contract.server.ts'

/** Files and lists that are the same for every visitor. */
export const middleware = [cacheable]
