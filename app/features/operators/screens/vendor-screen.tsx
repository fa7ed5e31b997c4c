import type { ReactNode } from 'react'
import { href, Link } from 'react-router'
import { formatInstant } from '../../../shared/dates.ts'
import { formatMoney } from '../../../shared/money.ts'
import { isPlaceholderEmail } from '../../../shared/placeholder-email.ts'
import { Stars } from '../../../ui/stars.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { groupAbn } from '../../businesses/rules.ts'
import type { VendorPayouts } from '../../payouts/operator-queries.server.ts'
import { AccountOperations, AccountTags } from '../components/account-parts.tsx'
import { Fact } from '../components/fact.tsx'
import { ListingOperation } from '../components/listing-operation.tsx'
import { LogEntries } from '../components/log-entries.tsx'
import { useMayOpen } from '../components/operator-role.tsx'
import { VendorMoney } from '../components/vendor-money.tsx'
import { HIDDEN_BY, OPERATIONS_ZONE } from '../messages.ts'
import type { VendorFacts } from '../vendor-queries.server.ts'

const time = (iso: string) => formatInstant(new Date(iso), OPERATIONS_ZONE)

/** One vendor: account, listings, bookings ahead, money, disputes, reviews, reported conversations and the log. */
export function VendorScreen({
  facts,
  money,
  cancellations,
  ownId,
}: {
  facts: VendorFacts
  /** Null where vendors aren't paid. */
  money: VendorPayouts | null
  /** How many approved bookings they have cancelled in 12 months. */
  cancellations: number
  /** The operator's own account. */
  ownId: string
}) {
  const { account, registration, reviews, reports } = facts
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <h1 className="min-w-0 text-3xl wrap-anywhere">
          {registration?.businessName ?? facts.listings[0]?.name ?? account.name}
        </h1>
        <AccountTags account={account} />
      </div>
      <div className="mt-8 grid items-start gap-x-12 gap-y-10 lg:grid-cols-2">
        <div className="grid min-w-0 gap-10">
          <Account facts={facts} isOwn={account.id === ownId} />
          {money ? <VendorMoney money={money} cancellations={cancellations} /> : null}
          <Disputes disputes={facts.disputes} />
        </div>
        <div className="grid min-w-0 gap-10">
          <Listings listings={facts.listings} />
          <Ahead ahead={facts.ahead} />
          {reports ? <Reports reports={reports} /> : null}
          {reviews ? <Reviews reviews={reviews} /> : null}
          <Section id="log" title="Log" isEmpty={facts.log.length === 0} empty="Nothing in the log.">
            <LogEntries entries={facts.log} />
          </Section>
        </div>
      </div>
    </>
  )
}

function Section({
  id,
  title,
  isEmpty = false,
  empty,
  children,
}: {
  id: string
  title: string
  isEmpty?: boolean
  empty?: string
  children: ReactNode
}) {
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h2 id={id} className="text-xl">
        {title}
      </h2>
      {isEmpty ? <p className="mt-2 text-quiet">{empty}</p> : children}
    </section>
  )
}

function Account({ facts: { account, phone, registration }, isOwn }: { facts: VendorFacts; isOwn: boolean }) {
  return (
    <Section id="account" title="Account">
      <dl className="mt-4 border-t border-line">
        <Fact label="Name">{account.name}</Fact>
        {isPlaceholderEmail(account.email) ? null : <Fact label="Email">{account.email}</Fact>}
        {phone ? (
          <Fact label="Phone">
            <PhoneLink phone={phone} />
          </Fact>
        ) : null}
        <Fact label="Since">{time(account.createdAt)}</Fact>
        {registration ? (
          <>
            <Fact label="Business">{registration.businessName}</Fact>
            <Fact label="ABN">{groupAbn(registration.abn)}</Fact>
            <Fact label="Business phone">
              <PhoneLink phone={registration.phone} />
            </Fact>
            <Fact label="Business email">{registration.email}</Fact>
          </>
        ) : (
          <Fact label="ABN">not registered</Fact>
        )}
        {account.disabledReason ? <Fact label="Disabled">{account.disabledReason}</Fact> : null}
      </dl>
      <div className="mt-2 flex flex-wrap items-start gap-x-6">
        <Link
          className="link inline-flex min-h-11 items-center"
          to={href('/operations/accounts/:id/activity', { id: account.id })}
        >
          Activity
        </Link>
        <AccountOperations account={account} isOwn={isOwn} />
      </div>
    </Section>
  )
}

/** What a phone's dialler doesn't take. */
const NO_DIGIT = /[^\d+]/g

/** A number to press, since 'Call the vendor' leads here. */
function PhoneLink({ phone }: { phone: string }) {
  return (
    <a className="link inline-flex min-h-11 items-center" href={`tel:${phone.replaceAll(NO_DIGIT, '')}`}>
      {phone}
    </a>
  )
}

function Listings({ listings }: { listings: VendorFacts['listings'] }) {
  return (
    <Section id="listings" title="Listings" isEmpty={listings.length === 0} empty="No listings.">
      <ul className="mt-4 border-t border-line">
        {listings.map(({ id, name, category, hiddenBy, reason }) => (
          <li key={id} className="border-b border-line py-3">
            <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
              <Link className="link min-w-0 wrap-anywhere" to={href('/business/:id', { id })}>
                {name}
              </Link>
              <p className="flex flex-wrap gap-2">
                <Tag>{category}</Tag>
                {hiddenBy ? <Tag tone="error">{HIDDEN_BY[hiddenBy]}</Tag> : null}
              </p>
            </div>
            {reason ? <p className="mt-1 text-sm wrap-anywhere">Hidden: {reason}</p> : null}
            <ListingOperation id={id} hiddenBy={hiddenBy} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Ahead({ ahead: { count, bookings } }: { ahead: VendorFacts['ahead'] }) {
  return (
    <Section id="ahead" title="Bookings ahead" isEmpty={count === 0} empty="No bookings ahead.">
      <ul className="mt-4 border-t border-line">
        {bookings.map(({ id, paymentId, customerName, span, status, cents }) => (
          <Row
            key={id}
            to={href('/operations/payments/:id', { id: paymentId })}
            title={customerName}
            aside={formatMoney(cents)}
          >
            {span} <Tag tone={status === 'approved' ? 'success' : 'neutral'}>{status}</Tag>
          </Row>
        ))}
      </ul>
      {count > bookings.length ? (
        <p className="figures mt-2 text-sm text-quiet">
          The next {bookings.length} of {count}.
        </p>
      ) : null}
    </Section>
  )
}

function Disputes({ disputes }: { disputes: VendorFacts['disputes'] }) {
  return (
    <Section id="disputes" title="Disputes" isEmpty={disputes.length === 0} empty="No disputes.">
      <ul className="mt-4 border-t border-line">
        {disputes.map(({ id, customerName, status, cents, dueAt, isOpen }) => (
          <Row
            key={id}
            to={href('/operations/disputes/:id?', { id })}
            title={customerName}
            aside={formatMoney(cents)}
          >
            <Tag tone={isOpen ? 'error' : 'neutral'}>{status.replaceAll('_', ' ')}</Tag>
            {isOpen && dueAt ? ` The bank takes our answer until ${time(dueAt)}.` : null}
          </Row>
        ))}
      </ul>
    </Section>
  )
}

function Reviews({ reviews }: { reviews: NonNullable<VendorFacts['reviews']> }) {
  return (
    <Section id="reviews" title="Reviews" isEmpty={reviews.length === 0} empty="No reviews.">
      <ul className="mt-4 border-t border-line">
        {reviews.map(({ id, businessName, authorName, rating, body, state, createdAt }) => (
          <li key={id} className="border-b border-line py-3">
            <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
              <Stars rating={rating} />
              {state === 'approved' ? null : <Tag tone="glow">{state}</Tag>}
            </p>
            <p className="mt-1 line-clamp-3 wrap-anywhere">{body}</p>
            <p className="mt-1 text-sm text-quiet wrap-anywhere">
              {authorName} about {businessName}, {time(createdAt)}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Reports({ reports }: { reports: NonNullable<VendorFacts['reports']> }) {
  return (
    <Section id="reports" title="Conversations reported" isEmpty={reports.length === 0} empty="None.">
      <ul className="mt-4 border-t border-line">
        {reports.map(({ id, customerName, reason, createdAt, outcome }) => (
          <Row
            key={id}
            to={href('/operations/reports/:id?', { id })}
            title={customerName}
            aside={
              <Tag tone={outcome === null ? 'error' : 'neutral'}>{outcome === null ? 'open' : 'closed'}</Tag>
            }
          >
            {reason} ({time(createdAt)})
          </Row>
        ))}
      </ul>
    </Section>
  )
}

/** A row that leads to the page of its thing, where the role may open it. */
function Row({
  to,
  title,
  aside,
  children,
}: {
  to: string
  title: string
  aside: ReactNode
  children: ReactNode
}) {
  const mayOpen = useMayOpen()
  return (
    <li className="relative border-b border-line py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        {mayOpen(to) ? (
          <Link className="cover-link min-w-0 wrap-anywhere" to={to}>
            {title}
          </Link>
        ) : (
          <span className="min-w-0 wrap-anywhere">{title}</span>
        )}
        <span className="figures">{aside}</span>
      </div>
      <p className="figures mt-1 text-sm text-quiet wrap-anywhere">{children}</p>
    </li>
  )
}
