import type { ReactNode } from 'react'
import { href, Link } from 'react-router'
import type { PriceRange } from '../../features/businesses/market-queries.server.ts'
import { UNIT_TEXTS } from '../../features/businesses/messages.ts'
import { CATEGORY_PATHS } from '../../features/businesses/rules.ts'
import type { BudgetCalculation } from '../../features/search/budget-rules.ts'
import { BudgetCalculator } from '../../features/search/components/budget-calculator.tsx'
import { formatMoney } from '../../shared/money.ts'
import type { FooterProps } from '../../shell/footer.tsx'
import {
  type AnswerTimes,
  CHECKLIST,
  customerQuestions,
  PAYOUT_QUESTIONS,
  type Question,
  TIMELINE,
  vendorQuestions,
} from './advice.ts'

export function Timeline() {
  return (
    <Part id="timeline" title="When to do what">
      <p className="max-w-prose text-quiet">
        Written for a wedding or another party of eighty or more. For thirty people in a garden, halve every
        lead time. For a wake, do the first and the last step.
      </p>
      <ol className="mt-8">
        {TIMELINE.map((step) => (
          <li
            key={step.when}
            className="grid gap-x-10 gap-y-1 border-t border-line py-6 sm:grid-cols-[170px_minmax(0,1fr)]"
          >
            <h3 className="text-lg text-brand">{step.when}</h3>
            <div>
              <p className="font-semibold">{step.title}</p>
              <p className="mt-1 max-w-prose">{step.text}</p>
            </div>
          </li>
        ))}
      </ol>
    </Part>
  )
}

export function Budget({
  prices,
  calculation,
}: {
  prices: readonly PriceRange[]
  calculation: BudgetCalculation
}) {
  return (
    <Part id="budget" title="What it costs">
      <p className="max-w-prose">
        Begin with the number of people, not with the total: food, drink and chairs all follow it. Taking ten
        names off the list saves more than any haggling. Enter what you have, and see a first split that holds
        up well:
      </p>
      <BudgetCalculator calculation={calculation} />
      <p className="mt-6 max-w-prose text-quiet">
        Keep the last part unspent until the week before. There is always a marquee wall, a taxi or an aunt.
      </p>
      {prices.length > 0 ? <Prices prices={prices} /> : null}
    </Part>
  )
}

export function Checklist() {
  return (
    <Part id="checklist" title="Before you book">
      <div className="grid gap-x-12 gap-y-10 sm:grid-cols-2">
        {CHECKLIST.map((list) => (
          <div key={list.title}>
            <h3 className="text-lg">{list.title}</h3>
            <ul className="mt-3">
              {list.items.map((item) => (
                <li key={item} className="grid grid-cols-[1.1rem_1fr] gap-3 border-t border-line py-2.5">
                  <span
                    aria-hidden="true"
                    className="mt-1 size-4.5 rounded-[5px] border-2 border-line-strong"
                  />
                  {item}
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </Part>
  )
}

export function CustomerQuestions({ times }: { times: AnswerTimes }) {
  return (
    <Part id="for-customers" title="Questions about booking">
      <Questions questions={customerQuestions(times)} />
      <p className="mt-6">
        <Link to={href('/help/:article?', {})} className="link">
          Help articles
        </Link>
      </p>
    </Part>
  )
}

/** @param props.hasPayouts whether vendors are paid by us */
export function VendorQuestions({ hasPayouts, times }: { hasPayouts: boolean; times: AnswerTimes }) {
  const questions = vendorQuestions(times)
  return (
    <Part id="for-vendors" title="Questions from vendors">
      <Questions questions={hasPayouts ? [...questions, ...PAYOUT_QUESTIONS] : questions} />
      <p className="mt-6">
        <Link to={href('/list-your-business')} className="link">
          List your business
        </Link>
      </p>
    </Part>
  )
}

export function Contact({ contact }: { contact: FooterProps['contact'] }) {
  return (
    <Part id="contact" title="Talk to us">
      <p className="max-w-prose">
        About a booking, write from the address you booked with and name the vendor and the day, so that we
        find it at once. A person answers, on working days.
      </p>
      <dl className="mt-6 grid gap-x-12 gap-y-6 sm:grid-cols-3">
        <div>
          <dt className="text-sm text-quiet">Email</dt>
          <dd>
            <a href={`mailto:${contact.email}`} className="link inline-block py-1.5 wrap-anywhere">
              {contact.email}
            </a>
          </dd>
        </div>
        <div>
          <dt className="text-sm text-quiet">Phone</dt>
          <dd>
            <a
              href={`tel:${contact.phone.replaceAll(/[^\d+]/g, '')}`}
              className="link figures inline-block py-1.5"
            >
              {contact.phone}
            </a>
          </dd>
        </div>
        <div>
          <dt className="text-sm text-quiet">Post</dt>
          <dd>
            <address className="py-1.5">{contact.address}</address>
          </dd>
        </div>
      </dl>
    </Part>
  )
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} className="mb-6">
        {title}
      </h2>
      {children}
    </section>
  )
}

function Prices({ prices }: { prices: readonly PriceRange[] }) {
  return (
    <div className="mt-12">
      <h3 className="text-xl">What vendors charge today</h3>
      <p className="mt-2 max-w-prose text-quiet">
        From their own listings, including any GST. Half of them charge no more than the median.
      </p>
      <div className="-mx-2 mt-5 overflow-x-auto px-2">
        <table className="figures w-full text-left">
          <thead>
            <tr className="border-b border-line-strong text-sm text-quiet">
              <th scope="col" className="py-2.5 pr-4 font-medium">
                Category
              </th>
              <th scope="col" className="px-3 py-2.5 text-right font-medium">
                Lowest
              </th>
              <th scope="col" className="px-3 py-2.5 text-right font-medium">
                Median
              </th>
              <th scope="col" className="py-2.5 pl-3 text-right font-medium">
                Highest
              </th>
            </tr>
          </thead>
          <tbody>
            {prices.map((price) => (
              <tr key={`${price.category} ${price.priceUnit}`} className="border-b border-line">
                <th scope="row" className="py-3 pr-4 font-normal">
                  <Link to={CATEGORY_PATHS[price.category]} className="py-1 font-semibold hover:underline">
                    {price.category}
                  </Link>{' '}
                  <span className="text-sm text-quiet max-sm:block">{UNIT_TEXTS[price.priceUnit]}</span>
                </th>
                <td className="px-3 py-3 text-right">{formatMoney(price.lowest)}</td>
                <td className="px-3 py-3 text-right font-semibold">{formatMoney(price.middle)}</td>
                <td className="py-3 pl-3 text-right">{formatMoney(price.highest)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

function Questions({ questions }: { questions: readonly Question[] }) {
  return (
    <div className="border-b border-line">
      {questions.map(({ question, answer }) => (
        <details key={question} className="group border-t border-line">
          <summary className="flex min-h-14 list-none items-center justify-between gap-6 py-3 font-semibold [&::-webkit-details-marker]:hidden">
            {question}
            <span
              aria-hidden="true"
              className="relative size-4 flex-none text-brand before:absolute before:inset-x-0 before:top-[7px] before:h-0.5 before:bg-current after:absolute after:inset-y-0 after:left-[7px] after:w-0.5 after:bg-current group-open:after:hidden"
            />
          </summary>
          <p className="max-w-prose pb-5 text-quiet">{answer}</p>
        </details>
      ))}
    </div>
  )
}
