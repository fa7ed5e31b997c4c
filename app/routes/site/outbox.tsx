import { data } from 'react-router'
import { CLIENT_ADDRESS_HEADER } from '../../adapters/accounts/port.ts'
import { servicesContext } from '../../request-context.server.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { isFromThisMachine } from '../../shared/this-machine.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import type { Route } from './+types/outbox'

const SHOWN_MAILS = 100

export const meta: Route.MetaFunction = ({ matches }) => privateMeta('Outbox', matches[0]?.loaderData)

/** The mails of the demo. Answers only requests from this machine that no proxy has forwarded (Decision 24). */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { config, outbox } = context.get(servicesContext)
  const address = request.headers.get(CLIENT_ADDRESS_HEADER) ?? ''
  if (!config.demo || !outbox || !isFromThisMachine(request, address)) throw data(null, { status: 404 })
  return { mails: await outbox.list(SHOWN_MAILS) }
}

export default function OutboxScreen({ loaderData }: Route.ComponentProps) {
  return (
    <div className="page page-column py-8 md:py-12">
      <h1>Outbox</h1>
      <p className="mt-3 text-quiet">
        The demo sends no email. The emails it would send appear here, newest first.
      </p>
      {loaderData.mails.length === 0 ? <EmptyState text="No emails yet." /> : null}
      <ol className="mt-6 grid gap-6">
        {loaderData.mails.map((mail) => (
          <li key={mail.messageId} className="card p-5">
            <h2 className="text-lg">{mail.subject}</h2>
            <p className="text-quiet">
              To {mail.to},{' '}
              {new Date(mail.sentAt).toLocaleString('en-AU', { timeZone: 'Australia/Melbourne' })}
            </p>
            <p className="mt-3 whitespace-pre-wrap break-words">{withLinks(mail.text)}</p>
          </li>
        ))}
      </ol>
    </div>
  )
}

/** Turns URLs in a mail's text into links, as mail programs do. */
function withLinks(text: string) {
  return text.split(/(https?:\/\/\S+)/).map((part, index) =>
    index % 2 === 1 ? (
      <a key={part} href={part}>
        {part}
      </a>
    ) : (
      part
    ),
  )
}
