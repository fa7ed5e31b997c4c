/** A spinning ring beside a text that says what is happening; it has no accessible name of its own. */
export function Spinner() {
  return <span className="spinner" aria-hidden="true" />
}
