import { Form, Link, useNavigation } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { END_BUTTON, ENDING_BUTTON } from '../messages.ts'
import type { AlertView } from '../queries.server.ts'

/** Searches that send emails, each with its end. @param intent of the form that ends one */
export function AlertList({ alerts, intent }: { alerts: readonly AlertView[]; intent: 'end' | 'end-alert' }) {
  const sent = useNavigation().formData
  return (
    <ul className="border-t border-line">
      {alerts.map(({ id, text, href, until, isConfirmed }) => (
        <li
          key={id}
          className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-b border-line py-3"
        >
          <div className="min-w-0 flex-1 basis-56">
            <Link className="link inline-block py-1 wrap-anywhere" to={href}>
              {text}
            </Link>
            <p className="text-sm text-quiet">
              {isConfirmed ? `Until ${until}` : 'Waits for you to confirm it by our email'}
            </p>
          </div>
          <Form method="post">
            <input type="hidden" name="intent" value={intent} />
            <Button
              type="submit"
              name="alert"
              value={id}
              variant="quiet"
              pending={sent?.get('alert') === id}
              pendingText={ENDING_BUTTON}
              aria-label={`${END_BUTTON}: ${text}`}
            >
              {END_BUTTON}
            </Button>
          </Form>
        </li>
      ))}
    </ul>
  )
}
