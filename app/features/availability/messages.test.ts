import { describe, expect, it } from 'vitest'
import {
  CALENDAR_PROBLEMS,
  calendarProblem,
  dayName,
  freeDaysText,
  lengthText,
  nearTimeText,
  refusalText,
  startText,
  stepProblemText,
} from './messages.ts'
import { defaultAvailability } from './rules.ts'

describe('messages to customers', () => {
  it('state lengths in minutes, hours or days', () => {
    expect([30, 60, 90, 420, 61, 1_440, 2_880, 2_910, 43_200].map(lengthText)).toEqual([
      '30 minutes',
      '1 hour',
      '1 hour 30 minutes',
      '7 hours',
      '1 hour 1 minute',
      '24 hours',
      '2 days',
      '48 hours 30 minutes',
      '30 days',
    ])
  })

  it('name days and times in full', () => {
    const none = { isChosen: false, isFitting: false }
    expect(dayName('2027-03-13', 'free', none)).toBe('Saturday 13 March 2027, free')
    expect(dayName('2027-03-13', 'full', none)).toBe('Saturday 13 March 2027, booked out')
    expect(dayName('2027-03-13', 'free', { isChosen: true, isFitting: true })).toBe(
      'Saturday 13 March 2027, free, fits your search, chosen',
    )
    expect(nearTimeText({ date: '2027-03-14', time: '16:00' })).toBe('Sunday 14 March 2027, 4:00 pm')
  })

  it('name a start with its end, and the half of the day once if both share it', () => {
    expect(startText('16:00', '23:00')).toBe('4:00 – 11:00 pm')
    expect(startText('08:00', '15:00')).toBe('8:00 am – 3:00 pm')
    expect(startText('20:00', '03:00')).toBe('8:00 pm – 3:00 am')
    expect(startText('00:00', '01:30')).toBe('12:00 – 1:30 am')
    expect(startText('12:00', null)).toBe('12:00 pm')
  })

  it('name the clocks of a night on which they change', () => {
    expect(startText('20:00', '02:00', ['AEDT', 'AEST'])).toBe('8:00 pm AEDT – 2:00 am AEST')
    expect(startText('01:00', '02:30', ['AEDT', 'AEDT'])).toBe('1:00 am AEDT – 2:30 am AEDT')
  })

  it('count the free days of a month', () => {
    expect(freeDaysText(['past', 'closed', 'free'], 'March 2027')).toBe('1 day free in March 2027.')
    expect(freeDaysText(['full', 'free', 'free'], 'March 2027')).toBe(
      '2 days free in March 2027. Days struck through are booked out.',
    )
    expect(freeDaysText(['closed'], 'March 2027')).toBe('Nothing is free in March 2027.')
  })

  it('explain why a time can’t be booked, with the vendor’s own figures', () => {
    const rules = { ...defaultAvailability('Catering', 'Australia/Perth'), maxGuests: 1 }
    const slotRequest = { bookingType: 'perHour', quantity: 5 } as const
    expect(refusalText('too_soon', rules, slotRequest)).toBe(
      'Book this vendor at least 2 days ahead. Choose a later time.',
    )
    expect(refusalText('too_soon', { ...rules, noticeMinutes: 0 }, slotRequest)).toBe(
      'That time has passed. Choose a later one.',
    )
    expect(refusalText('too_far', rules, slotRequest)).toBe(
      'This vendor takes bookings up to 730 days ahead. Choose an earlier date.',
    )
    expect(refusalText('too_many_guests', rules, slotRequest)).toBe('This vendor takes at most 1 guest.')
    expect(refusalText('closed', rules, slotRequest)).toBe(
      'This vendor isn’t open for the full 5 hours from then. Choose another time.',
    )
  })
})

describe('the problem of an outside calendar', () => {
  it('names the event that can’t be read, in the form and beside the calendar', () => {
    expect(calendarProblem('unreadable_event', 'Wedding fair')).toContain('“Wedding fair”')
    expect(stepProblemText({ reason: 'unreadable_event', event: 'Wedding fair' })).toContain('“Wedding fair”')
    expect(calendarProblem('unreadable_event')).toBe(CALENDAR_PROBLEMS.unreadable_event)
  })

  it('blames the other server when its stored reason isn’t known any more', () => {
    expect(calendarProblem('a former reason')).toBe(CALENDAR_PROBLEMS.unreachable)
  })
})
