import { useEffect, useEffectEvent, useState } from 'react'
import { SECOND_MS } from '../../../../shared/time-units.ts'
import { classNames } from '../../../../ui/class-names.ts'
import { HELD_FOR, heldMinutesLeft } from '../../messages.ts'

/** Screen readers announce the time left only at these moments, in seconds before the end. */
const ANNOUNCED = [60, 300] as const

/**
 * Counts down to the end of the hold.
 * @param untilMs the end of the hold, by this browser's clock
 */
export function HoldCountdown({ untilMs, onEnd }: { untilMs: number; onEnd: () => void }) {
  const [nowMs, setNowMs] = useState(() => Date.now())
  const left = Math.max(0, Math.ceil((untilMs - nowMs) / SECOND_MS))
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [])
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    if (left === 0) end()
  }, [left])
  if (!Number.isFinite(left)) return null
  const announced = ANNOUNCED.find((seconds) => left <= seconds)
  return (
    <div className={classNames('mt-3', announced === 60 ? 'font-semibold' : 'text-quiet')}>
      <p className="figures">
        {HELD_FOR} <span role="timer">{clockText(left)}</span>
      </p>
      <p role="status" className="unseen">
        {announced ? heldMinutesLeft(announced / 60) : null}
      </p>
    </div>
  )
}

/** Formats seconds as '14:59'. */
function clockText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
