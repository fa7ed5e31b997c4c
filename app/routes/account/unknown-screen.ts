import { href, redirect } from 'react-router'

/** Any other path of the signed-in group leads to its overview (Specification, section 2; Decision 15). */
export const loader = () => redirect(href('/userdashboard/user'))
