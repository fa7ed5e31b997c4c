import type { ReactNode } from 'react'
import { Form, href, useNavigation } from 'react-router'
import { formatDate, formatMonth } from '../../../shared/dates.ts'
import { formatMoney } from '../../../shared/money.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'
import {
  AGREE_BUTTON,
  AGREED_TEXT,
  AGREEING_BUTTON,
  CLOSED_TEXT,
  CLOSED_TITLE,
  COMMISSION_FILE,
  CONFIRM_TITLE,
  confirmText,
  ENDED_TEXT,
  ENDED_TITLE,
  EXPIRED_TEXT,
  EXPIRED_TITLE,
  lateText,
  monthTitle,
  OPEN_NOTE,
  REFUSE_BUTTON,
  SALES_FILE,
  STOP_EMAILS_BUTTON,
  STOPPING_BUTTON,
} from '../accountant-messages.ts'
import type { MonthDocument } from '../accountant-queries.server.ts'
import { documentTitle } from '../messages.ts'

type Props = {
  token: string
  vendorName: string
  email: string
} & (
  | { about: 'confirm'; state: 'open' | 'confirmed' | 'ended' | 'expired' | 'closed' }
  | {
      about: 'month'
      state: 'open' | 'ended' | 'expired' | 'closed'
      month: string
      /** Empty unless the link is open. */
      documents: readonly MonthDocument[]
    }
)

/** The page of an accountant's link: the question whether they agree, or a vendor's documents of a month. */
export function AccountantScreen(props: Props) {
  const { state, about } = props
  if (state === 'ended') return <Page title={ENDED_TITLE} text={ENDED_TEXT} />
  if (state === 'closed')
    return (
      <Page title={CLOSED_TITLE} text={CLOSED_TEXT}>
        <Buttons mayAgree={false} />
      </Page>
    )
  if (state === 'expired')
    return (
      <Page title={EXPIRED_TITLE} text={EXPIRED_TEXT[about]}>
        <Buttons mayAgree={false} />
      </Page>
    )
  if (about === 'confirm')
    return (
      <Page
        title={CONFIRM_TITLE}
        text={state === 'confirmed' ? AGREED_TEXT : confirmText(props.vendorName, props.email)}
      >
        <Buttons mayAgree={state === 'open'} />
      </Page>
    )
  return <Month {...props} />
}

function Month({ token, vendorName, month, documents }: Props & { about: 'month' }) {
  const has = (subject: 'sale' | 'commission') => documents.some((each) => each.subject === subject)
  return (
    <Page title={monthTitle(formatMonth(month))} text={vendorName}>
      <p className="mt-6 flex flex-wrap gap-x-6">
        {has('sale') ? <FileLink token={token} file="sales.csv" label={SALES_FILE} /> : null}
        {has('commission') ? <FileLink token={token} file="commission.csv" label={COMMISSION_FILE} /> : null}
      </p>
      <ul className="mt-3 border-t border-line">
        {documents.map((document) => (
          <li
            key={document.number}
            className="flex flex-wrap items-center justify-between gap-x-6 border-b border-line py-1"
          >
            <FileLink
              token={token}
              file={`${document.number}.pdf`}
              label={`${documentTitle(document)} ${document.number} (PDF)`}
            />
            <span className="figures">{formatMoney(document.cents)}</span>
            <span className="w-full pb-2 text-sm text-quiet wrap-anywhere">
              {document.about}, issued {formatDate(document.issuedOn)}
              {document.lateFor ? `. ${lateText(formatMonth(document.lateFor))}` : ''}
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-4 text-sm text-quiet">{OPEN_NOTE}</p>
      <Buttons mayAgree={false} />
    </Page>
  )
}

function Page({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <div className="page page-column py-8 md:py-12">
      <h1 className="wrap-anywhere">{title}</h1>
      <p className="mt-3 text-quiet wrap-anywhere" role="status">
        {text}
      </p>
      {children}
    </div>
  )
}

function Buttons({ mayAgree }: { mayAgree: boolean }) {
  const intent = useNavigation().formData?.get('intent')
  return (
    <Form method="post" className="mt-6 flex flex-wrap gap-3">
      {mayAgree ? (
        <Button
          type="submit"
          name="intent"
          value="confirm"
          variant="primary"
          pending={intent === 'confirm'}
          pendingText={AGREEING_BUTTON}
        >
          {AGREE_BUTTON}
        </Button>
      ) : null}
      <Button
        type="submit"
        name="intent"
        value="end"
        variant="quiet"
        pending={intent === 'end'}
        pendingText={STOPPING_BUTTON}
      >
        {mayAgree ? REFUSE_BUTTON : STOP_EMAILS_BUTTON}
      </Button>
      <SendFailure />
    </Form>
  )
}

function FileLink({ token, file, label }: { token: string; file: string; label: string }) {
  return (
    <a
      className="link inline-flex min-h-11 items-center gap-2.5"
      href={href('/accountant/:token/files/:file', { token, file })}
      download
    >
      <Icon name={file.endsWith('.pdf') ? 'file-text' : 'download'} className="size-5 flex-none" />
      {label}
    </a>
  )
}
