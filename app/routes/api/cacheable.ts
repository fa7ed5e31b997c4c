import { cacheable } from '../contract.server.ts'

/** Files and lists that are the same for everybody. */
export const middleware = [cacheable]
