import type { CSSProperties } from 'react'
import { Spinner } from './spinner.tsx'

/** A quiet shape that holds the place of what is coming. Silent: say what is loading with LoadingText. */
export function Skeleton({
  width = '100%',
  height = 20,
  ratio,
}: {
  width?: CSSProperties['width']
  height?: number
  ratio?: string
}) {
  return (
    <span
      className="skeleton"
      aria-hidden="true"
      style={ratio ? { width, aspectRatio: ratio } : { width, height }}
    />
  )
}

/**
 * The words of a loading state, read aloud when they appear.
 * @param heading names the screen for people who do not see it, where nothing else is on it yet
 */
export function LoadingText({ heading, children }: { heading?: string; children: string }) {
  return (
    <>
      {heading ? <h1 className="unseen">{heading}</h1> : null}
      <p className="loading-text" role="status">
        <Spinner />
        {children}
      </p>
    </>
  )
}
