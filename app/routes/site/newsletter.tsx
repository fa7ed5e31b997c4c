import { parseWithZod } from '@conform-to/zod/v4'
import { data, href, Link } from 'react-router'
import { limitedAddress } from '../../adapters/rate-limits/addresses.ts'
import { subscribe } from '../../features/newsletter/commands.server.ts'
import { SUBSCRIBED, SUBSCRIPTION_FAILED } from '../../features/newsletter/messages.ts'
import { newsletterSchema } from '../../features/newsletter/schema.ts'
import { servicesContext } from '../../request-context.server.ts'
import { readForm } from '../../shared/form.ts'
import { pageTitle } from '../../shared/page-meta.ts'
import { MINUTE_MS } from '../../shared/time-units.ts'
import { notSent } from '../../ui/action-failure.ts'
import { isConnectionFailure } from '../../ui/connection.ts'
import type { Route } from './+types/newsletter'

const LIMIT = { max: 10, windowMs: 10 * MINUTE_MS }

export const meta: Route.MetaFunction = ({ matches }) => [
  { title: pageTitle('Newsletter', matches[0]?.loaderData) },
  { name: 'description', content: 'One email a month: places, people and dates worth knowing.' },
  { name: 'robots', content: 'noindex' },
]

export async function action({ request, context }: Route.ActionArgs) {
  const { config, db, jobs, log, now, rateLimits } = context.get(servicesContext)
  const submission = parseWithZod(await readForm(request, newsletterSchema), { schema: newsletterSchema })
  if (submission.status !== 'success') {
    return data({ ok: false, message: submission.error?.email?.[0] ?? SUBSCRIPTION_FAILED }, { status: 400 })
  }
  if (!(await rateLimits.take(`newsletter:${limitedAddress(request)}`, LIMIT))) {
    return data({ ok: false, message: SUBSCRIPTION_FAILED }, { status: 429 })
  }
  try {
    await subscribe({ db, jobs, now, ...config }, submission.value.email)
  } catch (error) {
    log.error({ err: error }, 'newsletter')
    return data({ ok: false, message: SUBSCRIPTION_FAILED }, { status: 503 })
  }
  return data({ ok: true, message: SUBSCRIBED })
}

/** The form itself reports a lost connection; the page around it stays. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction()
  } catch (error) {
    return notSent({ ok: false, message: SUBSCRIPTION_FAILED, isLost: isConnectionFailure(error) })
  }
}

/** The form itself is in the footer. This is the page that a browser without script shows after sending it. */
export default function Newsletter({ actionData }: Route.ComponentProps) {
  return (
    <div className="page page-column py-8 md:py-12" role="status">
      <h1>{actionData?.message ?? 'Newsletter'}</h1>
      <p className="mt-6">
        <Link className="link" to={href('/')}>
          Go to home page
        </Link>
      </p>
    </div>
  )
}
