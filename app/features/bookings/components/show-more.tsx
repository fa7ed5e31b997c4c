import { ButtonLink } from '../../../ui/button.tsx'

/**
 * The link to the same page with more of a list. The rows before stay where they are, so the page keeps its place.
 * Renders nothing where all are shown.
 * @param props.rest how many aren't shown yet
 */
export function ShowMore({ rest, to }: { rest: number; to: string }) {
  if (rest <= 0) return null
  return (
    <p className="mt-8 text-center">
      <ButtonLink to={to} preventScrollReset replace>
        Show more ({rest})
      </ButtonLink>
    </p>
  )
}
