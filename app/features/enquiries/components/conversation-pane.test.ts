import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { describe, expect, it } from 'vitest'
import { DialogProvider } from '../../../ui/dialog.tsx'
import type { ConversationView } from '../rules.ts'
import { ConversationPane } from './conversation-pane.tsx'

const conversation: ConversationView = {
  id: 'c',
  businessId: 'b',
  businessName: 'The Walled Garden',
  customerName: 'Kim Lee',
  otherName: 'The Walled Garden',
  wish: 'question',
  bookingId: 'k',
  eventDate: '2027-02-06',
  guests: null,
  budgetCents: null,
  status: 'booked',
  isVerified: true,
  waitingSince: null,
  lastMessageAt: '2026-11-20T01:00:00.000Z',
  unread: 0,
  hasNotice: false,
  side: 'customer',
  ownerUserId: 'v',
  blockedBy: null,
  isReported: false,
  hasContactDetails: false,
  createdAt: '2026-11-20T01:00:00.000Z',
  messages: [],
  hasOlder: false,
}

/** The pane as the server renders it. */
function htmlFor(isSignedIn: boolean): string {
  const pane = createElement(ConversationPane, {
    conversation,
    token: 't',
    path: '/conversations/t',
    before: null,
    submitKey: 's',
    answered: undefined,
    backHref: null,
    isSignedIn,
    heading: 'h1',
    now: '2026-11-20T01:00:00.000Z',
    timeZone: 'Australia/Melbourne',
  })
  const element = createElement(DialogProvider, null, pane)
  const router = createMemoryRouter([{ path: '/', element }])
  return renderToString(createElement(RouterProvider, { router })).replaceAll('<!-- -->', '')
}

describe('the booking of a conversation', () => {
  it('is a link to the customer’s bookings, which need a login', () => {
    expect(htmlFor(true)).toMatch(/<a[^>]+href="\/my-bookings"[^>]*>Booking on /)
  })

  it('is plain text for a guest', () => {
    const html = htmlFor(false)
    expect(html).toMatch(/<span>Booking on [^<]+<\/span>/)
    expect(html).not.toContain('href="/my-bookings"')
  })
})
