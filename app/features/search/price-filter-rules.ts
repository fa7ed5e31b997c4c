import { type Cents, formatShortMoney, PRICE_UNITS, type PriceUnit } from '../../shared/money.ts'
import { UNIT_TEXTS } from '../businesses/messages.ts'
import { amountParameter, type Chip, choiceParameter, type Filter, type Relaxation } from './filter-schema.ts'
import { takeMoney } from './query-number-schema.ts'
import { priceText } from './term-messages.ts'

type Price = {
  /** The most that the whole booking may cost, for the search's guests or hours. */
  budgetCents: Cents | null
  /** The listed price, for one hour or one person. */
  minCents: Cents | null
  maxCents: Cents | null
  /** Only listings with a price per this unit. */
  per: PriceUnit | null
}

/** The total budget and the listed price. */
export const price: Filter<Price> = {
  parameters: {
    budgetCents: amountParameter('budget'),
    minCents: amountParameter('min'),
    maxCents: amountParameter('max'),
    per: choiceParameter('per', PRICE_UNITS),
  },
  tidy(values) {
    const { minCents, maxCents } = values
    if (minCents === null || maxCents === null || minCents <= maxCents) return values
    return { ...values, minCents: maxCents, maxCents: minCents }
  },
  // Prices are ranges of columns, in the order of an index where possible: see `indexFilterOf` and `listByPrice`.
  markers: null,
  changesWithMovesOnly: false,
  chips(values) {
    const { budgetCents, per } = values
    const chips: Chip<Price>[] = []
    if (budgetCents !== null)
      chips.push({ text: `up to ${formatShortMoney(budgetCents)}`, without: { budgetCents: null } })
    const listed = priceText(values)
    if (listed) chips.push({ text: listed, without: { minCents: null, maxCents: null, per: null } })
    else if (per) chips.push({ text: UNIT_TEXTS[per], without: { per: null } })
    return chips
  },
  relaxed({ budgetCents, minCents, maxCents, per }) {
    const relaxed: Relaxation<Price>[] = []
    if (budgetCents !== null)
      relaxed.push({
        without: 'budget',
        loss: 30,
        text: `Over ${formatShortMoney(budgetCents)} too`,
        change: { budgetCents: null },
      })
    if (minCents !== null || maxCents !== null || per)
      relaxed.push({
        without: 'price',
        loss: 40,
        text: 'At any price',
        change: { minCents: null, maxCents: null, per: null },
      })
    return relaxed
  },
  query: { anywhere: { order: 2, take: takeMoney } },
  form: {
    order: 7,
    fields: ({ budgetCents, minCents, maxCents, per }) => [
      {
        kind: 'amount',
        name: 'budget',
        label: 'Total budget',
        value: dollarsText(budgetCents),
        width: 'wide',
      },
      {
        kind: 'group',
        label: 'Listed price',
        fields: [
          { kind: 'amount', name: 'min', label: 'From', value: dollarsText(minCents), placeholder: 'from' },
          { kind: 'amount', name: 'max', label: 'To', value: dollarsText(maxCents), placeholder: 'to' },
          {
            kind: 'choice',
            name: 'per',
            label: 'Per',
            value: per ?? '',
            none: 'person or hour',
            options: [
              { value: 'perPerson', label: 'person' },
              { value: 'perHour', label: 'hour' },
            ],
          },
        ],
      },
    ],
  },
}

function dollarsText(cents: Cents | null): string {
  return cents === null ? '' : String(cents / 100)
}
