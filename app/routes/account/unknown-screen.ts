import { href, redirect } from 'react-router'

/** Redirects any other path of the signed-in group to its overview (Specification, section 2; Decision 15). */
export const loader = () => redirect(href('/userdashboard/user'))
