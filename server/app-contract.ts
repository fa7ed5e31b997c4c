import type { ServerBuild } from 'react-router'
import type { Incoming, Ready, RequestHead } from './cached-response.ts'

/** Marks a request that arrived at the metrics port. */
export type ObservedBindings = { isOwnPort?: boolean }

/** The request as Node has it. */
export type Bindings = { Bindings: { incoming?: Incoming } & ObservedBindings }

/** The pages. In development they and their contexts come fresh from Vite. */
export type Pages = {
  build: ServerBuild | (() => Promise<ServerBuild>)
  clientFolder: string | null
  /** Allows Vite's own inline scripts and socket. */
  development?: boolean
}

/** The whole product, from request to response. */
export type App = {
  /**
   * Finds a cached response. Most requests end here, so it costs little more than sending the bytes and logs nothing.
   */
  findReady(head: RequestHead): Ready | null
  fetch(request: Request, env?: Bindings['Bindings']): Response | Promise<Response>
}
