import type { CSSProperties } from 'react'
import { Spinner } from './spinner.tsx'

/** A quiet placeholder for content that is loading. Silent: announce the loading with LoadingText. */
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
 * The text of a loading state, announced when it appears.
 * @param props.heading names the screen for screen readers when it has no other content yet
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
