import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { sendMessage, startConversation } from '../../app/features/enquiries/commands.server.ts'
import { LINK_SENT_AGAIN } from '../../app/features/enquiries/conversation-messages.ts'
import { START_REFUSALS } from '../../app/features/enquiries/messages.ts'
import { MESSAGES_PAGE, START_LIMIT } from '../../app/features/enquiries/rules.ts'
import { blockConversation } from '../../app/features/enquiries/status-commands.server.ts'
import { enquiryDeps } from '../../app/services/deps.server.ts'
import { newId } from '../../app/shared/ids.ts'
import { aBusiness } from '../builders.ts'
import { DESKTOP, goOffline, hydrated, main, PHONE, visit, WAIT_MS } from './browser.ts'
import { openStage } from './stage.ts'

const BUSINESS = 'harbour-light-pavilion'
const CUSTOMER = 'customer@jubilee.example'
const VENDOR = 'vendor@jubilee.example'
const QUESTION = 'Is there a cloakroom for 110 people?'

const stage = openStage()

const userId = async (email: string) =>
  (
    await stage.server.services.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
  ).id

/** The path in the mail with which a guest confirms their question. */
async function mailedPath(email: string): Promise<string> {
  const find = async () => {
    const mails = (await stage.server.services.outbox?.list(50)) ?? []
    const mail = mails.find(({ to, text }) => to === email && text.includes('/conversations/'))
    return /\/conversations\/[\w-]+/.exec(mail?.text ?? '')?.[0]
  }
  await expect.poll(find, { timeout: WAIT_MS }).toBeTruthy()
  return (await find()) ?? ''
}

async function ask(page: Page, email: string, text = QUESTION): Promise<void> {
  await main(page).getByLabel('Your message').fill(text)
  await main(page).getByLabel('Your name').fill('Ottilie Marsh')
  await main(page).getByLabel('Your email').fill(email)
  await main(page).getByRole('button', { name: 'Send' }).click()
}

/** A conversation of the demo's customer with the demo's vendor. @returns its id */
async function aConversation(text = QUESTION): Promise<string> {
  const deps = enquiryDeps(stage.server.services)
  const started = await startConversation(deps, {
    businessId: BUSINESS,
    wish: 'question',
    eventDate: null,
    guests: null,
    budgetCents: null,
    message: { body: text, files: [], submitKey: newId() },
    customer: { userId: await userId(CUSTOMER), name: 'Isla Brennan', email: CUSTOMER },
    address: `198.51.100.${Math.floor(Math.random() * 250)}`,
  })
  if (!started.ok) throw new Error(started.reason)
  return started.conversationId
}

/** Visits a page and waits until it hears of changes. */
async function visitLive(page: Page, path: string): Promise<void> {
  const stream = page.waitForResponse(/\/api\/live\?subject=(inbox|conversation)/)
  await visit(page, path)
  await stream
}

const messageField = (page: Page) => main(page).getByRole('textbox', { name: /^Message to / })
const log = (page: Page) => main(page).getByRole('log', { name: 'Messages' })

describe('a guest’s question', () => {
  it('reaches the vendor once the mailed link is confirmed, and both read each answer live', async () => {
    const email = 'ottilie@example.com'
    const vendor = await stage.arriveAs(VENDOR, DESKTOP)
    await visitLive(vendor.page, '/dashboard/inbox')
    const guest = await stage.arrive(PHONE)
    await visit(guest.page, `/business/${BUSINESS}`)
    await main(guest.page).getByRole('link', { name: 'Ask a question' }).click()
    await guest.page.waitForURL(/\/ask$/)
    await ask(guest.page, email)
    await main(guest.page).getByRole('heading', { level: 1, name: 'Check your email' }).waitFor()

    await visitLive(guest.page, await mailedPath(email))
    await log(guest.page).getByText(QUESTION).waitFor()
    // Opening the link alone tells the vendor nothing.
    await visitLive(vendor.page, '/dashboard/inbox')
    expect(
      await main(vendor.page)
        .getByRole('link', { name: /Ottilie Marsh/ })
        .count(),
    ).toBe(0)
    await main(guest.page).getByRole('button', { name: 'Confirm and send my message' }).click()
    await main(guest.page).getByText('Your message is with the vendor.').waitFor()

    // The vendor's open list shows it without a reload, and the keyboard leads to the answer.
    await main(vendor.page)
      .getByRole('link', { name: /Ottilie Marsh/ })
      .waitFor()
    await vendor.page.keyboard.press('j')
    await vendor.page.keyboard.press('Enter')
    await log(vendor.page).getByText(QUESTION).waitFor()
    await log(guest.page)
      .getByText(/· Read$/)
      .waitFor()
    await vendor.page.keyboard.press('r')
    await vendor.page.keyboard.type('Yes, beside the stairs. You jokers')
    await vendor.page.keyboard.press('Control+Enter')
    await log(guest.page).getByText('Yes, beside the stairs. You jokers').waitFor()
    await messageField(guest.page).fill('Thank you, we’ll take it')
    await main(guest.page).getByRole('button', { name: 'Send' }).click()
    await log(vendor.page).getByText('Thank you, we’ll take it').waitFor()
    expect(await messageField(guest.page).inputValue()).toBe('')
    await guest.leave()
    await vendor.leave()
  })

  it('on a phone: its confirmation is on the screen, its link comes again, and the composer stays above the keyboard', async () => {
    const email = `${newId(8)}@example.com`.toLowerCase()
    const guest = await stage.arrive(PHONE)
    const { page } = guest
    await visit(page, `/business/${BUSINESS}/ask`)
    await ask(page, email)
    const heading = main(page).getByRole('heading', { level: 1, name: 'Check your email' })
    await heading.waitFor()
    await expect.poll(() => heading.evaluate((h1) => h1 === document.activeElement)).toBe(true)
    expect((await heading.boundingBox())?.y).toBeLessThan(PHONE.height / 2)
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
    await main(page).getByRole('button', { name: 'Send the link again' }).click()
    await main(page).getByText(LINK_SENT_AGAIN).waitFor()

    await visit(page, await mailedPath(email))
    await main(page).getByRole('button', { name: 'Confirm and send my message' }).click()
    await main(page).getByText('Your message is with the vendor.').waitFor()
    // Nothing else is on the screen.
    expect(await page.getByRole('banner').count()).toBe(0)
    expect(await page.getByRole('contentinfo').count()).toBe(0)
    const lowerEdge = async () => {
      const box = await page.locator('.composer').boundingBox()
      return Math.round((box?.y ?? 0) + (box?.height ?? 0))
    }
    expect(await lowerEdge()).toBe(PHONE.height)
    // Browsers lay the keyboard over the page, and tell it by the visual viewport.
    const keyboard = 336
    const opensKeyboard = (left: number) =>
      page.evaluate((height) => {
        Object.defineProperty(window.visualViewport, 'height', { value: height, configurable: true })
        window.visualViewport?.dispatchEvent(new Event('resize'))
      }, left)
    await messageField(page).focus()
    await opensKeyboard(PHONE.height - keyboard)
    expect(await lowerEdge()).toBe(PHONE.height - keyboard)
    // The last message stays above it.
    expect(await log(page).getByText(QUESTION).isVisible()).toBe(true)
    await messageField(page).fill('One more thing')
    await main(page).getByRole('button', { name: 'Send' }).click()
    await log(page).getByText('One more thing').waitFor()
    const last = await log(page).getByText('One more thing').boundingBox()
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThan(PHONE.height - keyboard)
    await opensKeyboard(PHONE.height)
    expect(await lowerEdge()).toBe(PHONE.height)
    await guest.leave()
  })

  it('comes along when its person signs in', async () => {
    const visitor = await stage.arrive(PHONE)
    const { page } = visitor
    const path = `/business/${BUSINESS}/ask`
    await visit(page, path)
    await main(page).getByLabel('Your message').fill(QUESTION)
    await visit(page, `/login?next=${encodeURIComponent(path)}`)
    await main(page).getByLabel('Email').fill(CUSTOMER)
    await main(page).getByLabel('Password', { exact: true }).fill('celebrate')
    await main(page).getByRole('button', { name: 'Log In', exact: true }).click()
    await page.waitForURL(`**${path}`)
    await expect.poll(() => main(page).getByLabel('Your message').inputValue()).toBe(QUESTION)
    await visitor.leave()
  })

  it('isn’t in the form any more once it was sent, with an account too', async () => {
    for (const arrive of [() => stage.arrive(PHONE), () => stage.arriveAs(CUSTOMER, PHONE)]) {
      const visitor = await arrive()
      const { page } = visitor
      const path = `/business/${BUSINESS}/ask`
      await visit(page, path)
      const message = main(page).getByLabel('Your message')
      await message.fill(QUESTION)
      // Not sent yet: it is kept.
      await visit(page, path)
      await expect.poll(() => message.inputValue()).toBe(QUESTION)
      const isGuest = (await main(page).getByLabel('Your name').count()) > 0
      if (isGuest) {
        await ask(page, `sent-${newId()}@example.com`.toLowerCase())
        await main(page).getByRole('heading', { level: 1, name: 'Check your email' }).waitFor()
      } else {
        await main(page).getByRole('button', { name: 'Send' }).click()
        await page.waitForURL(/\/messages\/.+/)
        await log(page).getByText(QUESTION).waitFor()
      }
      await visit(page, path)
      expect(await message.inputValue()).toBe('')
      await visitor.leave()
    }
  })

  it('stays one conversation when it is sent again after a lost answer and a reload', async () => {
    const email = `once-${newId()}@example.com`.toLowerCase()
    const guest = await stage.arrive(PHONE, [/ERR_FAILED/])
    const { page } = guest
    const path = `/business/${BUSINESS}/ask`
    await visit(page, path)
    const isSending = (url: URL) => url.pathname.startsWith(path)
    await page.route(isSending, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await route.fetch()
      await route.abort('failed')
    })
    await ask(page, email)
    await main(page).getByRole('alert').first().waitFor()
    await page.unroute(isSending)
    await visit(page, path)
    await expect.poll(() => main(page).getByLabel('Your email').inputValue()).toBe(email)
    await main(page).getByRole('button', { name: 'Send' }).click()
    await main(page).getByRole('heading', { level: 1, name: 'Check your email' }).waitFor()
    const begun = stage.server.services.db
      .selectFrom('conversations')
      .select('id')
      .where('customer_email', '=', email)
    expect(await begun.execute()).toHaveLength(1)
    await guest.leave()
  })

  it('stays in the form when it is refused after 20 within an hour', async () => {
    const email = 'many@example.com'
    for (let sent = 0; sent < START_LIMIT.max; sent++)
      expect(await stage.server.services.rateLimits.take(`conversations:email:${email}`, START_LIMIT)).toBe(
        true,
      )
    const guest = await stage.arrive(PHONE, [/429/])
    await visit(guest.page, `/business/${BUSINESS}/ask`)
    const refused = guest.page.waitForResponse((answer) => answer.request().method() === 'POST')
    await ask(guest.page, email)
    expect((await refused).status()).toBe(429)
    await main(guest.page).getByText(START_REFUSALS.too_many).waitFor()
    expect(await main(guest.page).getByLabel('Your message').inputValue()).toBe(QUESTION)
    await guest.leave()
  })

  it('works without JavaScript, from the question to its answer', async () => {
    const email = 'plain@example.com'
    const context = await stage.browser.newContext({
      baseURL: stage.server.origin,
      viewport: PHONE,
      javaScriptEnabled: false,
    })
    const page = await context.newPage()
    await page.goto(`/business/${BUSINESS}/ask`)
    await main(page).getByLabel('Guests').fill('none')
    await ask(page, email)
    await main(page).getByText('Enter a number of guests').first().waitFor()
    expect(await main(page).getByLabel('Your message').inputValue()).toBe(QUESTION)
    await main(page).getByLabel('Guests').fill('110')
    await main(page).getByRole('button', { name: 'Send' }).click()
    await main(page).getByRole('heading', { name: 'Check your email' }).waitFor()
    await page.goto(await mailedPath(email))
    await main(page).getByRole('button', { name: 'Confirm and send my message' }).click()
    await main(page).getByText('Your message is with the vendor.').waitFor()
    await messageField(page).fill('And one for umbrellas?')
    await main(page).getByRole('button', { name: 'Send' }).click()
    await log(page).getByText('And one for umbrellas?').waitFor()
    await context.close()
  })
})

it('a message that is sent from earlier messages leads to the newest, and so does a link', async () => {
  const id = await aConversation()
  const { db } = stage.server.services
  const added = Array.from({ length: MESSAGES_PAGE + 5 }, (_, index) => ({
    id: newId(),
    conversation_id: id,
    sender: 'customer' as const,
    body: `Message ${index}.`,
    sent_by: 'web' as const,
    has_contacts: false,
    submit_key: newId(),
    read_at: new Date(),
    created_at: new Date(),
  }))
  await db.insertInto('messages').values(added).execute()
  const vendor = await stage.arriveAs(VENDOR, PHONE)
  const { page } = vendor
  await visit(page, `/dashboard/inbox/${id}`)
  const newest = log(page).getByText(`Message ${MESSAGES_PAGE + 4}.`, { exact: true })
  await newest.waitFor()
  const older = async () => {
    await log(page).getByRole('link', { name: 'Earlier messages' }).click()
    await log(page).getByText(QUESTION).waitFor()
    expect(await newest.count()).toBe(0)
  }
  await older()
  await log(page).getByRole('link', { name: 'Newest messages' }).click()
  await newest.waitFor()
  expect(await log(page).getByRole('link', { name: 'Newest messages' }).count()).toBe(0)
  await older()
  await messageField(page).fill('Yes, to all of it.')
  await main(page).getByRole('button', { name: 'Send', exact: true }).click()
  await log(page).getByText('Yes, to all of it.').waitFor()
  await newest.waitFor()
  await vendor.leave()
})

describe('a customer’s conversation', () => {
  it('begins with a quote where the price is on request, and keeps an unsent message over a reload and a lost connection', async () => {
    const { id } = await aBusiness(stage.server.services.db, {
      name: 'Saltbush Quartet',
      price_cents: 0,
      place_id: 'melbourne-vic',
    })
    const customer = await stage.arriveAs(CUSTOMER, PHONE, [/ERR_INTERNET_DISCONNECTED/])
    const { page } = customer
    await visit(page, `/business/${id}`)
    await main(page).getByRole('link', { name: 'Ask for a quote' }).click()
    await main(page).getByRole('heading', { name: 'Ask Saltbush Quartet for a quote' }).waitFor()
    await main(page).getByLabel('Your message').fill('Two sets of jazz in the garden')
    await main(page).getByRole('button', { name: 'Send' }).click()
    await page.waitForURL(/\/messages\/\w+$/)
    await log(page).getByText('Two sets of jazz in the garden').waitFor()

    await messageField(page).fill('And a microphone for the speeches')
    await page.reload()
    await hydrated(page)
    await expect.poll(() => messageField(page).inputValue()).toBe('And a microphone for the speeches')
    await goOffline(page)
    await main(page).getByRole('button', { name: 'Send' }).click()
    await main(page).getByText('this may not have reached us').waitFor()
    expect(await messageField(page).inputValue()).toBe('And a microphone for the speeches')
    await page.context().setOffline(false)
    await main(page).getByRole('button', { name: 'Send' }).click()
    await log(page).getByText('And a microphone for the speeches').waitFor()
    await expect.poll(() => messageField(page).inputValue()).toBe('')
    await customer.leave()
  })

  it('keeps the page as wide as a phone, for both sides, while its message has a long link', async () => {
    const id = await aConversation('Which florist did you mean?')
    for (const [email, path] of [
      [VENDOR, `/dashboard/inbox/${id}`],
      [CUSTOMER, `/messages/${id}`],
    ] as const) {
      const { page, leave } = await stage.arriveAs(email, PHONE)
      await visit(page, path)
      await messageField(page).fill(`https://maps.example.com/${'place'.repeat(40)}`)
      const widths = () =>
        page.evaluate(() => [document.documentElement.scrollWidth, document.body.scrollWidth])
      expect(await widths(), email).toEqual([PHONE.width, PHONE.width])
      await leave()
    }
  })

  it('shows the letters that its keys would take in the message, not in the list', async () => {
    const id = await aConversation('Is there a piano?')
    const vendor = await stage.arriveAs(VENDOR, DESKTOP)
    await visit(vendor.page, `/dashboard/inbox/${id}`)
    await messageField(vendor.page).click()
    await vendor.page.keyboard.type('jkr')
    expect(await messageField(vendor.page).inputValue()).toBe('jkr')
    await vendor.page.keyboard.press('Escape')
    const current = main(vendor.page).locator('[aria-current=page][data-conversation]')
    expect(await current.evaluate((link) => link === document.activeElement)).toBe(true)
    await main(vendor.page).getByLabel('Use these keys').uncheck()
    await current.focus()
    await vendor.page.keyboard.press('r')
    expect(await messageField(vendor.page).evaluate((field) => field === document.activeElement)).toBe(false)
    await main(vendor.page).getByLabel('Use these keys').check()
    await vendor.leave()
  })

  it('works by keyboard alone: found, opened, answered and closed', async () => {
    const id = await aConversation('May we bring our own cake?')
    const vendor = await stage.arriveAs(VENDOR, DESKTOP)
    const { page } = vendor
    await visit(page, '/dashboard/inbox')
    const { keyboard } = page
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('href'))
    for (let pressed = 0; pressed < 30 && !(await focused())?.includes(id); pressed++)
      await keyboard.press('j')
    await keyboard.press('Enter')
    await log(page).getByText('May we bring our own cake?').waitFor()
    await keyboard.press('r')
    await keyboard.type('Please do.')
    await keyboard.press('Control+Enter')
    await log(page).getByText('Please do.').waitFor()
    await expect.poll(() => messageField(page).inputValue()).toBe('')
    const menu = main(page).getByLabel('More about this conversation')
    const isAtMenu = () => menu.evaluate((summary) => summary === document.activeElement)
    for (let pressed = 0; pressed < 30 && !(await isAtMenu()); pressed++) await keyboard.press('Shift+Tab')
    await keyboard.press('Enter')
    await keyboard.press('Tab')
    await keyboard.press('Enter')
    await main(page).getByText('This conversation is closed.').waitFor()
    await vendor.leave()
  })

  it('shows an answer that was sent after the page was rendered and before its stream was open', async () => {
    const id = await aConversation('Is there a lift?')
    const customer = await stage.arriveAs(CUSTOMER, PHONE)
    const opens = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    await customer.page.route(/\/api\/live\?subject=inbox/, async (route) => {
      opens.resolve()
      await answered.promise
      await route.continue()
    })
    await visit(customer.page, `/messages/${id}`)
    await opens.promise
    await sendMessage(enquiryDeps(stage.server.services), {
      id,
      by: { userId: await userId(VENDOR), verifiedEmail: null },
      message: { body: 'Yes, beside the kitchen.', files: [], submitKey: newId() },
    })
    answered.resolve()
    await log(customer.page).getByText('Yes, beside the kitchen.').waitFor()
    await customer.leave()
  })

  it('refuses the customer’s message and keeps its text once the vendor has blocked it', async () => {
    const id = await aConversation('Do you take cash?')
    const customer = await stage.arriveAs(CUSTOMER, PHONE, [/403/])
    await visitLive(customer.page, `/messages/${id}`)
    await messageField(customer.page).fill('Half of it in cash, and nobody needs to know')
    await blockConversation(enquiryDeps(stage.server.services), {
      id,
      by: { userId: await userId(VENDOR), verifiedEmail: null },
    })
    await main(customer.page).getByText('This conversation is blocked').waitFor()
    await main(customer.page).getByRole('button', { name: 'Send' }).click()
    await main(customer.page).getByText('You can’t write in this conversation any more.').waitFor()
    expect(await messageField(customer.page).inputValue()).toBe(
      'Half of it in cash, and nobody needs to know',
    )
    await customer.leave()
  })
})
