import { useEffect, useRef } from 'react'
import { ButtonLink } from '../../../../ui/button.tsx'

/**
 * The link to the same page with more of the list in its section. The rows before stay where they are, so the page keeps
 * its place, and the focus moves to the first row that is new. Renders nothing where all are shown.
 * @param props.rest how many aren't shown yet
 */
export function ShowMore({ rest, to }: { rest: number; to: string }) {
  /** The section and its rows at the press. */
  const pressed = useRef<{ section: Element; rows: ReadonlySet<Element> }>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows arrive together with the next address
  useEffect(() => {
    if (!pressed.current) return
    const { section, rows } = pressed.current
    pressed.current = null
    const added = [...section.querySelectorAll('li')].find((row) => !rows.has(row))
    if (!added) return
    added.tabIndex = -1
    added.focus({ preventScroll: true })
  }, [to])
  if (rest <= 0) return null
  return (
    <p className="mt-8 text-center">
      <ButtonLink
        to={to}
        preventScrollReset
        replace
        onClick={(event) => {
          const section = event.currentTarget.closest('section')
          if (section) pressed.current = { section, rows: new Set(section.querySelectorAll('li')) }
        }}
      >
        Show more ({rest})
      </ButtonLink>
    </p>
  )
}
