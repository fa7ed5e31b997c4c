import { isConnectionFailure } from './connection.ts'

/**
 * Tells why an action of the server failed, so that a form can say it and keep what was typed.
 * @throws the error itself where it is an answer of the server, such as a redirect to the sign-in
 */
export function actionFailure(error: unknown): 'not_reached' | 'failed' {
  if (error instanceof Response) throw error
  return isConnectionFailure(error) ? 'not_reached' : 'failed'
}
