import type { ReactNode } from 'react'
import sprite from './icons.svg?url'

export const MOST_STARS = 5
export const STAR_PATH =
  'M12 2.6c.5 0 .9.3 1.1.7l2.3 4.9 5.3.7c1 .1 1.4 1.3.7 2l-3.9 3.8 1 5.4c.2 1-.9 1.7-1.7 1.2L12 18.7l-4.8 2.6c-.8.5-1.9-.2-1.7-1.2l1-5.4-3.9-3.8c-.7-.7-.3-1.9.7-2l5.3-.7 2.3-4.9c.2-.4.6-.7 1.1-.7Z'

function OutlinedStar() {
  return (
    <svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <path d={STAR_PATH} stroke="currentColor" strokeWidth={1.4} />
    </svg>
  )
}

const STARS = Array.from({ length: MOST_STARS }, (_, index) => index + 1)

/** Five stars of the sprite in one drawing. */
function Row() {
  return (
    <svg aria-hidden="true">
      <use href={`${sprite}#stars`} />
    </svg>
  )
}

/**
 * A displayed rating: five stars, filled to one decimal.
 * @param props.rating 0 to 5
 * @param props.note text after the stars, such as the count
 */
export function Stars({ rating, note }: { rating: number; note?: ReactNode }) {
  const rounded = Math.round(rating * 10) / 10
  return (
    <span className="stars">
      <span className="stars-row" role="img" aria-label={`${rounded} out of ${MOST_STARS}`}>
        <Row />
        <span style={{ width: `${(rounded / MOST_STARS) * 100}%` }}>
          <Row />
        </span>
      </span>
      {note}
    </span>
  )
}

/** A rating input: a radio group, so arrow keys work and a form submits it without a script. */
export function StarsInput({
  name,
  label,
  defaultValue,
  error,
  required,
}: {
  name: string
  label: string
  defaultValue?: number
  error?: string
  required?: boolean
}) {
  const errorId = `${name}-error`
  return (
    <fieldset className="field" aria-describedby={error ? errorId : undefined}>
      <legend className="field-label unstyled-legend">{label}</legend>
      <span className="stars-input">
        {STARS.map((stars) => (
          <label key={stars} title={stars === 1 ? '1 star' : `${stars} stars`}>
            <input
              id={`${name}-${stars}`}
              className="unseen"
              type="radio"
              name={name}
              value={stars}
              defaultChecked={stars === defaultValue}
              required={required}
              aria-label={stars === 1 ? '1 star' : `${stars} stars`}
              aria-invalid={error ? true : undefined}
            />
            <OutlinedStar />
          </label>
        ))}
      </span>
      {error ? (
        <p className="field-error" id={errorId}>
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}
