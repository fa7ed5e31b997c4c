import { Form, href, Link } from 'react-router'
import { formatMoney } from '../../../shared/money.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { BUDGET_SHARES, type BudgetCalculation, type BudgetShare } from '../budget-rules.ts'

/** A first split of a budget: in percent, or in dollars once a total was entered, with a search for each trade. */
export function BudgetCalculator({ calculation }: { calculation: BudgetCalculation }) {
  const { typed, errors, shares } = calculation
  return (
    <>
      <Form
        action={`${href('/advice-support')}#budget`}
        preventScrollReset
        aria-label="Budget calculator"
        noValidate
        className="mt-8 grid items-start gap-4 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]"
      >
        <TextField
          label="Total budget"
          name="budget"
          prefix="$"
          inputMode="decimal"
          autoComplete="off"
          defaultValue={typed.budget}
          error={errors.budget}
        />
        <TextField
          label="Guests (optional)"
          name="guests"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={typed.guests}
          error={errors.guests}
        />
        <Button type="submit" variant="brand" className="sm:mt-[1.85rem]">
          Split it
        </Button>
      </Form>
      <ul className="mt-8 grid gap-5">
        {BUDGET_SHARES.map((share, nth) => (
          <li
            key={share.label}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-5 gap-y-2"
          >
            <p>
              <span className="font-semibold">{share.label}</span>{' '}
              <span className="text-quiet">{share.note}</span>
            </p>
            <p className="price text-lg">
              {shares?.[nth] ? formatMoney(shares[nth].cents) : `${share.percent}%`}
            </p>
            <span aria-hidden="true" className="col-span-2 h-2 overflow-hidden rounded-full bg-sunk">
              <span
                className="block h-full rounded-full bg-glow"
                style={{ width: `${share.percent * 2}%` }}
              />
            </span>
            {shares?.[nth] ? <ShareSearches share={shares[nth]} percent={share.percent} /> : null}
          </li>
        ))}
      </ul>
    </>
  )
}

function ShareSearches({ share, percent }: { share: BudgetShare; percent: number }) {
  return (
    <p className="col-span-2 flex flex-wrap gap-x-5 text-sm">
      <span className="figures py-2 text-quiet">
        {percent}%
        {share.perGuestCents === null ? null : `, about ${formatMoney(share.perGuestCents)} a guest`}
      </span>
      {share.searches.map(({ category, to }) => (
        <Link key={category} to={to} className="link py-2">
          {category} in this budget
        </Link>
      ))}
    </p>
  )
}
