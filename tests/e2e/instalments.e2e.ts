import { expect, it } from 'vitest'
import { bookingDeps } from '../../app/services/deps.server.ts'
import { DAY_MS } from '../../app/shared/time-units.ts'
import { aClock } from '../builders.ts'
import {
  ASKING_CARD,
  approves,
  BALANCE_CENTS,
  balanceOf,
  booksWithDeposit,
  chargesOf,
  DEPOSIT_CENTS,
  DUE_AT,
  instalmentDeps,
  movesTo,
  runInstalmentJobs,
} from '../instalment-stage.ts'
import { OPERATOR, refundsAsOperator } from '../payout-stage.ts'
import { bringAxe, findViolations } from './axe.ts'
import { main, PHONE, payWith, visit } from './browser.ts'
import { openStage } from './stage.ts'

/** A booking of $8,700.00 with 20 % paid: its balance is charged, paid by its customer, or overdue. */

const clock = aClock()
const stage = openStage({ now: clock.now, demo: false })

function world() {
  const { services } = stage.server
  const payments = services.sandbox
  if (!payments) throw new Error('The tests run on the sandbox.')
  payments.setWebhookFault('never')
  return { ...services, clock, payments, deps: bookingDeps(services) } as unknown as Parameters<
    typeof booksWithDeposit
  >[0]
}
const runsJobs = () => runInstalmentJobs(world(), instalmentDeps(world()))
const REMINDER_AT = new Date(DUE_AT.getTime() - 7 * DAY_MS)

it('a guest on a phone whose bank asks follows the link of the mail, approves, and has paid once', async () => {
  const booked = await booksWithDeposit(world(), { card: ASKING_CARD })
  await approves(world(), booked)
  const charged = await booksWithDeposit(world())
  await approves(world(), charged)
  movesTo({ clock }, REMINDER_AT)
  await runsJobs()
  const guest = await stage.arrive(PHONE)
  const { page } = guest
  await bringAxe(page)
  await visit(page, `/bookings/${charged.linkToken}/pay`)
  await main(page)
    .getByText(/^We’ll charge \$6,960\.00 to your card on .*11 February 2027/)
    .waitFor()
  movesTo({ clock }, DUE_AT)
  await runsJobs()
  // The server's own jobs may have begun the charge, which these then leave alone.
  await expect.poll(() => chargesOf(world(), charged.paymentId)).toEqual([DEPOSIT_CENTS, BALANCE_CENTS])
  // The open page follows.
  await main(page).getByRole('heading', { level: 1, name: 'Nothing is due' }).waitFor()

  await visit(page, `/bookings/${booked.linkToken}/pay`)
  await main(page)
    .getByText(/^Your bank wants you to approve the payment of \$6,960\.00/)
    .waitFor()
  expect(await findViolations(page, 'the balance')).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
  await main(page).getByRole('button', { name: 'Pay $6,960.00 with card ending 3184' }).click()
  await page
    .getByRole('dialog', { name: 'Your bank asks for your approval' })
    .getByRole('button', { name: 'Approve' })
    .click()
  await main(page).getByRole('heading', { level: 1, name: 'Nothing is due' }).waitFor()
  expect(await chargesOf(world(), booked.paymentId)).toEqual([DEPOSIT_CENTS, BALANCE_CENTS])
  await guest.leave()
})

it('a guest pays early with another card', async () => {
  const booked = await booksWithDeposit(world(), { date: '2027-08-14' })
  await approves(world(), booked)
  const guest = await stage.arrive(PHONE)
  const { page } = guest
  await visit(page, `/bookings/${booked.linkToken}/pay`)
  await main(page).getByRole('button', { name: 'Pay with another card' }).click()
  await payWith(page, '4242 4242 4242 4242')
  await main(page).getByRole('heading', { level: 1, name: 'Nothing is due' }).waitFor()
  expect(await chargesOf(world(), booked.paymentId)).toEqual([DEPOSIT_CENTS, BALANCE_CENTS])
  await guest.leave()
})

it('a guest whose balance changes while they have the card form open pays nothing but the new amount', async () => {
  const booked = await booksWithDeposit(world(), { date: '2027-09-18' })
  await approves(world(), booked)
  const guest = await stage.arrive(PHONE)
  const { page } = guest
  await visit(page, `/bookings/${booked.linkToken}/pay`)
  await main(page).getByRole('button', { name: 'Pay with another card' }).click()
  await page.getByLabel('Card number').waitFor()
  const { paymentId } = booked
  const off = { paymentId, amountCents: 10_000, reason: 'The heater failed.' }
  await refundsAsOperator(world().deps, { operator: OPERATOR, ...off })
  const notice = page.getByRole('alertdialog')
  await notice.getByText('The amount has changed in the meantime', { exact: false }).waitFor()
  await notice.getByRole('button', { name: 'OK' }).click()
  expect(await page.getByLabel('Card number').count()).toBe(0)
  await main(page).getByRole('button', { name: 'Pay $6,860.00 with card ending 4242' }).click()
  await main(page).getByRole('heading', { level: 1, name: 'Nothing is due' }).waitFor()
  const charged = (await chargesOf(world(), paymentId)).toSorted((one, other) => one - other)
  expect(charged).toEqual([DEPOSIT_CENTS, BALANCE_CENTS - 10_000])
  await guest.leave()
})

it('a guest changes to a card that never pays: four tries, and overdue on day 7', async () => {
  const booked = await booksWithDeposit(world(), { date: '2027-10-16' })
  await approves(world(), booked)
  const { due_at } = await balanceOf(world(), booked.paymentId)
  const guest = await stage.arrive(PHONE)
  const { page } = guest
  await bringAxe(page)
  await visit(page, `/bookings/${booked.linkToken}/card`)
  await main(page).getByText('Your card ending 4242, valid until 12/30.').waitFor()
  await main(page).getByRole('button', { name: 'Enter another card' }).click()
  await main(page)
    .getByText(/^You agree that .* saves this card and charges it \$6,960\.00 on/)
    .waitFor()
  await page.getByLabel('Card number').fill('4000 0000 0000 0341')
  await page.getByLabel('Expiry date').fill('12 / 30')
  await page.getByLabel('Security code').fill('123')
  expect(await findViolations(page, 'another card')).toEqual([])
  await main(page).getByRole('button', { name: 'Save this card' }).click()
  await main(page).getByText('Your card ending 0341, valid until 12/30.').waitFor()
  movesTo({ clock }, new Date(due_at.getTime() - 7 * DAY_MS))
  await runsJobs()
  for (let day = 0; day <= 7; day++) {
    movesTo({ clock }, new Date(due_at.getTime() + day * DAY_MS))
    await runsJobs()
  }
  const { state, attempts } = await balanceOf(world(), booked.paymentId)
  expect({ state, attempts }).toEqual({ state: 'overdue', attempts: 4 })
  await visit(page, `/bookings/${booked.linkToken}/pay`)
  await main(page)
    .getByText(/^\$6,960\.00 was due on .* and is overdue\.$/)
    .waitFor()
  expect(await chargesOf(world(), booked.paymentId)).toEqual([DEPOSIT_CENTS])
  await guest.leave()
})
