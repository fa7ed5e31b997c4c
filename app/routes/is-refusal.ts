import { isRouteErrorResponse } from 'react-router'
import { RouteModuleMissing } from '../shell/load-route-module.ts'

/** Whether an error has its words in the site's error boundary: a refusal such as 404, or a script that is missing. */
export function isRefusal(error: unknown): boolean {
  return error instanceof RouteModuleMissing || (isRouteErrorResponse(error) && error.status < 500)
}
