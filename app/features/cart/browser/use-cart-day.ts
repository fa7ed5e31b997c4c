import { useEffect, useState } from 'react'
import { isLocalDate, type LocalDate, wallTimeAt } from '../../../shared/dates.ts'
import { itemRefusal } from '../day-rules.ts'
import { type CartItem, type DayAnswer, readCartDay, unitOfItem } from '../rules.ts'
import { findDay } from './cart-client.ts'

/** The localStorage key of the day that the cart is for. */
const DAY_STORAGE_KEY = 'cart-day'
/** A quantity changes in steps, and one question is enough for them. */
const SETTLE_MS = 300

/** The zone in Australia where each day begins last. By its clock no day that a vendor can be booked on has passed. */
const LATEST_ZONE = 'Australia/Perth'

/** The stored day. A past day is deleted: nobody can be booked on it. */
function readDay(today: LocalDate): LocalDate {
  try {
    const day = readCartDay(localStorage.getItem(DAY_STORAGE_KEY), today)
    if (!day) localStorage.removeItem(DAY_STORAGE_KEY)
    return day
  } catch {
    return ''
  }
}

/**
 * The day that the cart is for, kept in this browser until it has passed. '' for none.
 * @returns also the first day that can be chosen, '' before the page is mounted
 */
export function useCartDay(): { day: LocalDate; first: LocalDate; choose: (day: LocalDate) => void } {
  const [{ day, first }, setDays] = useState<{ day: LocalDate; first: LocalDate }>({ day: '', first: '' })
  useEffect(() => {
    const today = wallTimeAt(new Date(), LATEST_ZONE).date
    setDays({ day: readDay(today), first: today })
  }, [])
  const choose = (chosen: LocalDate) => {
    setDays((days) => ({ ...days, day: chosen }))
    try {
      if (chosen) localStorage.setItem(DAY_STORAGE_KEY, chosen)
      else localStorage.removeItem(DAY_STORAGE_KEY)
    } catch {
      // Storage is blocked, so the day lasts as long as the page.
    }
  }
  return { day, first, choose }
}

/** Whether an item can be booked on a day. null without a day, and until the server has answered. */
export function useDayAnswer(item: CartItem, day: LocalDate): DayAnswer | null {
  const { id, quantity } = item
  const unit = unitOfItem(item)
  const [answer, setAnswer] = useState<{ asked: string; day: DayAnswer } | null>(null)
  const refusal = itemRefusal(item)
  const isRefused = refusal !== null
  const asked = `${id} ${unit} ${quantity} ${day}`
  useEffect(() => {
    if (!isLocalDate(day) || isRefused) return
    const stop = new AbortController()
    const timer = setTimeout(async () => {
      const found = await findDay({ id, unit, quantity }, day, stop.signal)
      if (!stop.signal.aborted) setAnswer({ asked, day: found })
    }, SETTLE_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [id, unit, quantity, day, asked, isRefused])
  if (refusal) return refusal
  return answer?.asked === asked ? answer.day : null
}
