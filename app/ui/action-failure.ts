import { data } from 'react-router'
import { isConnectionFailure } from './connection.ts'

/**
 * Returns why an action failed, so that a form can show the reason and keep what was typed.
 * @throws the error itself if it is a response of the server, such as a redirect to login
 */
export function actionFailure(error: unknown): 'not_reached' | 'failed' {
  if (error instanceof Response) throw error
  return isConnectionFailure(error) ? 'not_reached' : 'failed'
}

/**
 * The response of a form that the server didn't answer.
 *
 * After a status from 400 up React Router runs no loaders. They would fail as well, and hold the message back.
 */
export const notSent = <Answer>(answer: Answer) => data(answer, { status: 503 })
