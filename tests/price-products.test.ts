import { describe, expect, it } from 'vitest'
import { priceProducts } from './price-products.ts'

const found = (text: string) => priceProducts('a.ts', text).length

describe('priceProducts', () => {
  it.each([
    'const total = cents * quantity',
    'const total = quantity * line.unitPriceCents',
    'const total = offer.priceCents * booking.quantity',
    'const total = Number(row.price_cents) * times',
    'const total = cents * BigInt(times)',
    'const total = cents * timesOf(search, unit)',
    'const total = cents * (unit === "perPerson" ? guests : hours)',
    'const total = cartPriceCents(item.price) * item.quantity',
    'const total = (priceCents ?? 0) * n',
    'const total = each * guests',
    'total *= quantity',
    'priceCents *= n',
    'const view = <p>{formatMoney(priceCents * item.quantity)}</p>',
  ])('reports: %s', (text) => expect(priceProducts('a.tsx', text)).toEqual([1]))

  it.each([
    'const deposit = (priceCents * plan.depositBasisPoints) / BASIS',
    'const part = (cents * percent) / 100',
    'const fee = amountCents * FEE_PER_MILLE',
    'const cents = dollars * 100',
    'const cents = (parsePrice(text) ?? 0) * (isThousand ? 1_000 : 1)',
    'const minutes = quantity * 60',
    'const endsAt = hours * HOUR_MS',
    'const isExact = Number.isSafeInteger(cents * MAX_CART_QUANTITY)',
    'const total = lineCents({ quantity, unitPriceCents })',
    'const area = width * height',
  ])('accepts: %s', (text) => expect(found(text)).toBe(0))
})
