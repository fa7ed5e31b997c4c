import { useEffect, useState } from 'react'
import { isLocalDate, type LocalDate } from '../../../shared/dates.ts'
import { type CartItem, type DayAnswer, unitOfItem } from '../rules.ts'
import { findDay } from './cart-client.ts'

/** The localStorage key of the day that the cart is for. */
const DAY_STORAGE_KEY = 'cart-day'
/** A quantity changes in steps, and one question is enough for them. */
const SETTLE_MS = 300

function readDay(): LocalDate {
  try {
    const stored = localStorage.getItem(DAY_STORAGE_KEY) ?? ''
    return isLocalDate(stored) ? stored : ''
  } catch {
    return ''
  }
}

/** The day that the cart is for, kept in this browser. '' for none. */
export function useCartDay(): [LocalDate, (day: LocalDate) => void] {
  const [day, setDay] = useState<LocalDate>('')
  useEffect(() => setDay(readDay()), [])
  const choose = (chosen: LocalDate) => {
    setDay(chosen)
    try {
      if (chosen) localStorage.setItem(DAY_STORAGE_KEY, chosen)
      else localStorage.removeItem(DAY_STORAGE_KEY)
    } catch {
      // Storage is blocked, so the day lasts as long as the page.
    }
  }
  return [day, choose]
}

/** Whether an item can be booked on a day. null without a day, and until the server has answered. */
export function useDayAnswer(item: CartItem, day: LocalDate): DayAnswer | null {
  const { id, quantity } = item
  const unit = unitOfItem(item)
  const [answer, setAnswer] = useState<{ asked: string; day: DayAnswer } | null>(null)
  const asked = `${id} ${unit} ${quantity} ${day}`
  useEffect(() => {
    if (!isLocalDate(day)) return
    const stop = new AbortController()
    const timer = setTimeout(async () => {
      const found = await findDay({ id, unit, quantity }, day, stop.signal)
      if (!stop.signal.aborted) setAnswer({ asked, day: found })
    }, SETTLE_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [id, unit, quantity, day, asked])
  return answer?.asked === asked ? answer.day : null
}
