import { isRouteErrorResponse } from 'react-router'
import { RouteModuleMissing } from '../shell/load-route-module.ts'

/** Whether the site's error boundary has a message for this error: a refusal such as 404, or a missing script. */
export function isRefusal(error: unknown): boolean {
  return error instanceof RouteModuleMissing || (isRouteErrorResponse(error) && error.status < 500)
}
