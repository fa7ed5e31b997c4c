/** A turning ring beside words that say what is going on; it has no name of its own. */
export function Spinner() {
  return <span className="spinner" aria-hidden="true" />
}
