import { describe, expect, it } from 'vitest'
import { mergeBusyTimes } from './busy-time-rules.ts'

const at = (time: string) => new Date(`2027-03-13T${time}Z`)
const busy = (from: string, until: string, title = 'Busy') => ({ from: at(from), until: at(until), title })
const merged = (...times: ReturnType<typeof busy>[]) =>
  mergeBusyTimes(times).map(
    ({ from, until, title }) =>
      `${from.toISOString().slice(11, 16)}-${until.toISOString().slice(11, 16)} ${title}`,
  )

describe('busy times of an outside calendar', () => {
  it('merge into at most 96 a day, however many events there are', () => {
    const events = Array.from({ length: 8640 }, (_, index) => {
      const from = new Date(at('00:00:00').getTime() + index * 10_000)
      return { from, until: new Date(from.getTime() + 10_000), title: `Event ${index}` }
    })
    const times = mergeBusyTimes(events)
    expect(times).toHaveLength(96)
    expect(times.every(({ title }) => title.length <= 200)).toBe(true)
    const all = events.map((event) => ({ ...event, until: new Date(event.until.getTime() + 1000) }))
    expect(mergeBusyTimes(all)).toHaveLength(1)
  })

  it('begin and end on quarter hours, rounded outwards', () => {
    expect(merged(busy('10:07:00', '10:50:01'))).toEqual(['10:00-11:00 Busy'])
    expect(merged(busy('10:15:00', '10:45:00'))).toEqual(['10:15-10:45 Busy'])
  })

  it('merge where they overlap, in any order, and name each event once', () => {
    expect(
      merged(
        busy('12:00:00', '13:00:00', 'Lunch'),
        busy('10:00:00', '12:30:00', 'Setup'),
        busy('10:05:00', '10:10:00', 'Setup'),
      ),
    ).toEqual(['10:00-13:00 Setup, Lunch'])
    expect(merged(busy('10:00:00', '15:00:00', 'Fair'), busy('11:00:00', '12:00:00', 'Talk'))).toEqual([
      '10:00-15:00 Fair, Talk',
    ])
  })

  it('stay apart where they only touch', () => {
    expect(merged(busy('10:00:00', '11:00:00', 'One'), busy('11:00:00', '12:00:00', 'Two'))).toEqual([
      '10:00-11:00 One',
      '11:00-12:00 Two',
    ])
  })

  it('leave out events without a duration', () => {
    expect(merged(busy('10:00:00', '10:00:00'))).toEqual([])
  })
})
