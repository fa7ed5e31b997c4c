import type { ReactNode } from 'react'
import { Form, href, Link, useNavigation } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { AlertList } from '../components/alert-list.tsx'
import {
  ALERTS_TEXT,
  ALERTS_TITLE,
  ALL_ENDED_TEXT,
  ALL_ENDED_TITLE,
  CONFIRM_BUTTON,
  CONFIRM_TITLE,
  CONFIRMED_TITLE,
  CONFIRMING_BUTTON,
  END_ALL_BUTTON,
  END_EMAILS_BUTTON,
  ENDED_TEXT,
  ENDING_BUTTON,
  EXPIRED_TEXT,
  EXPIRED_TITLE,
  endsText,
  REFUSE_BUTTON,
} from '../messages.ts'
import type { AlertView } from '../queries.server.ts'

/** The content of a mailed link's page. */
export type AlertPage =
  | { about: 'all'; alerts: readonly AlertView[] }
  | {
      about: 'confirm'
      state: 'open' | 'confirmed' | 'ended' | 'expired'
      alert: AlertView | null
    }

/** The page of a mailed link: the question whether an address wants a search's news, or all that it gets. */
export function AlertsScreen(props: AlertPage) {
  if (props.about === 'all')
    return props.alerts.length === 0 ? (
      <Page title={ALL_ENDED_TITLE} text={ALL_ENDED_TEXT} />
    ) : (
      <Page title={ALERTS_TITLE} text={ALERTS_TEXT}>
        <div className="mt-6">
          <AlertList alerts={props.alerts} intent="end" />
        </div>
        <Buttons buttons={['end-all']} />
      </Page>
    )
  const { state, alert } = props
  if (state === 'ended' || alert === null) return <Page title={ALL_ENDED_TITLE} text={ENDED_TEXT} />
  if (state === 'expired') return <Page title={EXPIRED_TITLE} text={EXPIRED_TEXT} />
  return (
    <Page
      title={state === 'open' ? CONFIRM_TITLE : CONFIRMED_TITLE}
      text={`${ALERT_ABOUT} ${endsText(alert.until)}`}
    >
      <p className="mt-4">
        <Link className="link inline-block py-2 wrap-anywhere" to={alert.href}>
          {alert.text}
        </Link>
      </p>
      <Buttons buttons={state === 'open' ? ['confirm', 'refuse'] : ['end']} />
    </Page>
  )
}

const ALERT_ABOUT = 'We email you when a business fits this search, at most once a day.'

const BUTTONS = {
  confirm: { intent: 'confirm', label: CONFIRM_BUTTON, pending: CONFIRMING_BUTTON, variant: 'primary' },
  refuse: { intent: 'end', label: REFUSE_BUTTON, pending: ENDING_BUTTON, variant: 'quiet' },
  end: { intent: 'end', label: END_EMAILS_BUTTON, pending: ENDING_BUTTON, variant: 'secondary' },
  'end-all': { intent: 'end-all', label: END_ALL_BUTTON, pending: ENDING_BUTTON, variant: 'secondary' },
} as const

function Buttons({ buttons }: { buttons: readonly (keyof typeof BUTTONS)[] }) {
  const sent = useNavigation().formData?.get('intent')
  return (
    <Form method="post" className="mt-6 flex flex-wrap gap-3">
      {buttons.map((name) => {
        const { intent, label, pending, variant } = BUTTONS[name]
        return (
          <Button
            key={name}
            type="submit"
            name="intent"
            value={intent}
            variant={variant}
            pending={sent === intent}
            pendingText={pending}
          >
            {label}
          </Button>
        )
      })}
      <SendFailure />
    </Form>
  )
}

function Page({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <div className="page page-column py-8 md:py-12">
      <h1>{title}</h1>
      <p className="mt-3 text-quiet" role="status">
        {text}
      </p>
      {children}
      <p className="mt-6">
        <Link className="link" to={href('/venues-vendors')}>
          Browse all venues and vendors
        </Link>
      </p>
    </div>
  )
}
