import { expect, it } from 'vitest'
import { findTime } from '../../app/features/availability/slot-queries.server.ts'
import { DAY_MS } from '../../app/shared/time-units.ts'
import { aBookingForm } from '../builders.ts'
import { DESKTOP, nextEventDate, PHONE, WAIT_MS } from '../e2e/browser.ts'
import { bookAndPay } from '../e2e/paid-booking.ts'
import { aDepositBusiness } from '../instalment-stage.ts'
import { type EngineStage, logsIn } from './engine-stage.ts'
import {
  article,
  button,
  dialog,
  field,
  group,
  heading,
  item,
  link,
  option,
  type Visitor,
} from './visitor.ts'

const BUSINESS = 'harbour-light-pavilion'
const VENDOR = 'vendor@jubilee.example'
const OPERATOR = 'operator@jubilee.example'
const PRICE_CENTS = 145_000

/** A day of the demo's busiest venue that is free from 16:00, and so near that its price is paid at once. */
async function freeDay({ server }: EngineStage, fromDays: number): Promise<string> {
  const { db, now } = server.services
  for (let days = fromDays; ; days++) {
    const date = new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
    const slotRequest = { date, time: '16:00', bookingType: 'perPerson', quantity: 90, minutes: 300 } as const
    const found = await findTime(db, { businessId: BUSINESS, slotRequest, now: now(), exceptPayments: [] })
    if (found?.ok) return date
  }
}

async function paysByCard(visitor: Visitor, amount: string): Promise<void> {
  await visitor.sees(heading('Complete Your Payment'))
  await visitor.fill(field('Card number'), '4242 4242 4242 4242')
  await visitor.fill(field('Expiry date'), '12 / 30')
  await visitor.fill(field('Security code'), '123')
  await visitor.click(button(`Pay ${amount}`))
  await visitor.isAt('/success')
}

type Order = { name: string; date: string; guests: string }

async function fillsBooking(visitor: Visitor, { name, date, guests }: Order): Promise<void> {
  await visitor.fill(field('Full name'), name)
  await visitor.fill(
    field('Email', group('Your Information')),
    `${name.split(' ')[0]}@example.com`.toLowerCase(),
  )
  await visitor.fill(field('Phone'), '0491 570 110')
  await visitor.fill(field('Date'), date)
  await visitor.fill(field('Start time'), '16:00')
  await visitor.fill(field('Number of Attendees'), guests)
}

/** The first path of this kind in a mail to the address. */
async function mailedPath({ server }: EngineStage, to: string, path: RegExp): Promise<string> {
  const find = async () =>
    ((await server.services.outbox?.list(100)) ?? [])
      .filter((mail) => mail.to === to)
      .map((mail) => path.exec(mail.text)?.[0])
      .find((found) => found !== undefined)
  await expect.poll(find, { timeout: WAIT_MS }).toBeTruthy()
  return (await find()) ?? ''
}

/** The walk that `npm test` makes in every engine. */
export function testGuestBooking(stage: EngineStage): void {
  it('a guest books and pays', async () => {
    const guest = await stage.arrive(PHONE)
    await guest.visit('/venues')
    await guest.click(link(/^Harbour Light Pavilion/))
    await guest.sees(heading('Harbour Light Pavilion'))
    await guest.click(link('Book Now'))
    await guest.sees(heading('Book Harbour Light Pavilion'))
    await guest.isReady()
    await fillsBooking(guest, { name: 'Grace Holloway', date: await freeDay(stage, 40), guests: '90' })
    await guest.sees('$13,050.00')
    await guest.click(button('Proceed to Payment'))
    await paysByCard(guest, '$13,050.00')
    await guest.sees(heading('Thank you, Grace'))
    await guest.visit(await mailedPath(stage, 'grace@example.com', /\/bookings\/[\w-]+/))
    await guest.sees('Pending')
    await guest.leave()
  })
}

export function testAccount(stage: EngineStage): void {
  it('a person signs up, out and in', async () => {
    const person = await stage.arrive(PHONE)
    await person.visit('/signup')
    await person.fill(field('Your name'), 'Imogen Hale')
    await person.fill(field('Email'), 'imogen@example.com')
    await person.fill(field('Password'), 'long enough')
    await person.click(button('Sign Up'))
    await person.isAt('/')
    await person.isReady()
    await person.click(button('Open menu'))
    await person.click(button('Logout'))
    await person.misses(button('Logout'))
    await person.isReady()
    await person.click(button('Open menu'))
    await person.sees(link('Log In'))
    await logsIn(person, 'imogen@example.com', 'long enough')
    await person.visit('/my-profile')
    await person.sees('imogen@example.com')
    await person.leave()
  })
}

function testListing(stage: EngineStage): void {
  it('a vendor lists a business with pictures', async () => {
    const vendor = await stage.arriveAs(VENDOR, PHONE)
    await vendor.visit('/dashboard/list-business/new')
    await vendor.fill(field('Name'), 'Fernery by the Sea')
    await vendor.fill(field('Category'), 'Venues')
    await vendor.fill(field('Description'), 'A glasshouse for eighty, among ferns.')
    await vendor.fill(field('Services offered'), 'Tables, Heaters')
    await vendor.fill(field('Location'), 'geel')
    await vendor.sees(option(/Geelong/))
    await vendor.press('ArrowDown')
    await vendor.press('Enter')
    await vendor.misses(option(/Geelong/))
    await vendor.fill(field('Price'), '20')
    const pictures = [
      await stage.pictureFile('first.png', '#2f5d50'),
      await stage.pictureFile('second.png', '#7a4f2b'),
    ]
    await vendor.attach(pictures)
    const uploaded = () => vendor.tab.evaluate("document.querySelectorAll('input[name=images]').length")
    await expect.poll(uploaded, { timeout: WAIT_MS }).toBe(2)
    await vendor.click(button('Submit'))
    await vendor.isAt('/dashboard/list-business')
    await vendor.sees('Fernery by the Sea')
    const { images } = await stage.server.services.db
      .selectFrom('businesses')
      .select('images')
      .where('name', '=', 'Fernery by the Sea')
      .executeTakeFirstOrThrow()
    expect(images).toHaveLength(2)
    await vendor.leave()
  })
}

function testDecisions(stage: EngineStage): void {
  it('a vendor approves and declines', async () => {
    for (const fullName of ['Ida Brandt', 'Omar Haddad'])
      await bookAndPay(stage.server.services, {
        businessId: BUSINESS,
        amountCents: PRICE_CENTS,
        booking: aBookingForm({ fullName, date: nextEventDate() }),
      })
    const vendor = await stage.arriveAs(VENDOR, PHONE)
    await vendor.visit('/dashboard/bookings')
    await vendor.click(button('Approve', item('Ida Brandt')))
    await vendor.sees('Booking approved')
    await vendor.misses(button('Approve', item('Ida Brandt')))
    await vendor.click(button('Decline', item('Omar Haddad')))
    const question = dialog('Decline Omar Haddad?')
    await vendor.click(button('Other', question))
    await vendor.sees('Booking declined')
    await vendor.sees(button('Undo', item('Omar Haddad')))
    await vendor.leave()
  })
}

function testQuote(stage: EngineStage): void {
  it('a guest asks, the vendor answers and quotes, and the guest accepts and pays', async () => {
    const email = 'ottilie@example.com'
    const guest = await stage.arrive(PHONE)
    await guest.visit(`/business/${BUSINESS}/ask`)
    await guest.fill(field('Your message'), 'Is there a cloakroom?')
    await guest.fill(field('Your name'), 'Ottilie Marsh')
    await guest.fill(field('Your email'), email)
    await guest.click(button('Send'))
    await guest.sees(heading('Check your email'))
    await guest.visit(await mailedPath(stage, email, /\/conversations\/[\w-]+/))
    await guest.click(button('Confirm and send my message'))
    await guest.sees('Your message is with the vendor.')

    const vendor = await stage.arriveAs(VENDOR, DESKTOP)
    await vendor.visit('/dashboard/inbox')
    await vendor.click(link(/Ottilie Marsh/))
    await vendor.sees('Is there a cloakroom?')
    await vendor.fill(field(/^Message to /), 'Yes, beside the stairs.')
    await vendor.click(button('Send'))
    // The guest's open page follows.
    await guest.sees('Yes, beside the stairs.')
    await vendor.click(link('Write a quote'))
    await vendor.fill(field('What'), 'Long-table dinner')
    await vendor.fill(field('Quantity'), '80')
    await vendor.fill(field('Price each'), '55')
    await vendor.fill(field('Day'), await freeDay(stage, 40))
    await vendor.fill(field('Starts'), '16:00')
    await vendor.fill(field('Ends'), '21:00')
    await vendor.fill(field('Guests'), '80')
    await vendor.fill(field('Message to the customer'), 'We would love to have you.')
    await vendor.sees('Total $4,400.00')
    await vendor.click(button('Send the quote'))
    await vendor.sees(article(/^Quote, Sent/))
    await vendor.leave()

    await guest.visit(await mailedPath(stage, email, /\/quotes\/[\w-]+\/[\w-]+/))
    await guest.sees(heading('Quote from Harbour Light Pavilion'))
    await guest.fill(field('Phone'), '0411 222 333')
    await guest.click(button('Accept and pay'))
    await paysByCard(guest, '$4,400.00')
    await guest.leave()
  })
}

function testInstalments(stage: EngineStage): void {
  it('a guest pays a deposit, changes the booking and cancels it', async () => {
    const { db } = stage.server.services
    const { id: userId } = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', VENDOR)
      .executeTakeFirstOrThrow()
    const { id } = await aDepositBusiness({ db }, { user_id: userId })
    const guest = await stage.arrive(PHONE)
    await guest.visit(`/book/${id}`)
    const date = nextEventDate()
    await fillsBooking(guest, { name: 'Kim Lee', date, guests: '60' })
    await guest.click(button('Proceed to Payment'))
    await paysByCard(guest, '$1,740.00')
    const path = await mailedPath(stage, 'kim@example.com', /\/bookings\/[\w-]+/)

    const vendor = await stage.arriveAs(VENDOR, DESKTOP)
    await vendor.visit(`/dashboard/bookings?business=${id}`)
    await vendor.click(button('Approve', item('Kim Lee')))
    await vendor.sees('Booking approved')

    await guest.visit(path)
    await guest.click(link('Change date or guests'))
    await guest.isAt(/\/change$/)
    await guest.isReady()
    await guest.fill(field('Number of Attendees'), '50')
    await guest.click(button('Show what changes'))
    await guest.click(button('Propose this change'))
    await guest.sees('Your proposal is sent.')
    await vendor.click(button('Agree to 50 people'))
    await vendor.misses(button('Agree to 50 people'))
    await vendor.leave()

    await guest.visit(path)
    await guest.sees('50 people')
    await guest.click(link('Cancel booking'))
    await guest.isAt(/\/cancel$/)
    await guest.click(button('Cancel and refund'))
    await guest.sees('You have cancelled this booking.')
    await guest.leave()
  })
}

function testRefund(stage: EngineStage): void {
  it('an operator refunds a part', async () => {
    const { paymentId } = await bookAndPay(stage.server.services, {
      businessId: BUSINESS,
      amountCents: PRICE_CENTS,
      booking: aBookingForm({ fullName: 'Noah Fitzgerald', date: await freeDay(stage, 40) }),
    })
    const operator = await stage.arriveAs(OPERATOR, PHONE)
    await operator.visit(`/operations/payments/${paymentId}`)
    await operator.click(button(/^Refund…/))
    await operator.fill(field('Amount'), '120.50')
    await operator.fill(field('Reason'), 'The band was late.')
    await operator.click(button(/^Refund$/))
    await operator.sees('$120.50 is on its way back.')
    await operator.leave()
  })
}

/** Begins a view transition that renders for longer than browsers wait, and returns what the page's listeners make of it. */
const SLOW_TRANSITION = `new Promise((resolve) => {
  addEventListener('unhandledrejection', ({ reason, defaultPrevented }) => resolve([reason.name, reason.message, defaultPrevented]))
  document.startViewTransition(() => new Promise(() => {}))
})`

function testSlowTransition(stage: EngineStage): void {
  it('a page that renders for longer than its animation may wait is no error', async () => {
    const guest = await stage.arrive(PHONE)
    await guest.visit('/help')
    expect(await guest.tab.evaluate(SLOW_TRANSITION)).toEqual(['TimeoutError', expect.anything(), true])
    await guest.leave()
  })
}

/** The walks that need several minutes in three engines. */
export function testOtherJourneys(stage: EngineStage): void {
  testListing(stage)
  testDecisions(stage)
  testQuote(stage)
  testInstalments(stage)
  testRefund(stage)
  testSlowTransition(stage)
}
