import { Component, createElement, createRef, type ReactNode } from 'react'

type Props = {
  /** Names the part in the log. */
  part: string
  /** Its HTML works without a script, so it stays when the part fails. */
  keepsHtml?: boolean
  /** Whether another attempt needs another document, because the browser has cached that a script is missing. */
  needsReload?: () => boolean
  children: ReactNode
}

/**
 * A part of a page that can fail alone. Its HTML stays, and the page offers to try again. entry.client.tsx logs the error.
 *
 * React removes a failed part's elements, also those of a document that it hasn't hydrated. So copies of them take their
 * place. Copies, since React's event handlers must not run on them: links and forms do what they do without scripts.
 */
export class PartBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false }
  place = createRef<HTMLElement>()
  /** Removes the part from those that the page offers to try again. */
  forget?: () => void

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidMount() {
    // Rendered by the browser, it failed before it had any HTML.
    if (this.state.failed) void this.offer()
  }

  /** Runs before React changes the document. */
  override getSnapshotBeforeUpdate(_: Props, before: { failed: boolean }): Node[] | null {
    const { failed } = this.state
    const place = this.place.current
    if (!place) return null
    if (failed) return this.props.keepsHtml ? [...place.childNodes].map((node) => node.cloneNode(true)) : []
    if (before.failed) place.replaceChildren()
    return null
  }

  override componentDidUpdate(_: Props, before: { failed: boolean }, kept: Node[] | null) {
    const place = this.place.current
    // With each error, also that of an effect's end, React makes the place anew.
    if (kept && place && !place.hasChildNodes()) place.append(...kept)
    if (kept && !before.failed) void this.offer()
  }

  override componentWillUnmount() {
    this.forget?.()
  }

  async offer() {
    try {
      const { offerRetry } = await import('./part-failure.tsx')
      if (!this.place.current) return
      this.forget = offerRetry(this, () => {
        if (this.props.needsReload?.()) window.location.reload()
        else this.setState({ failed: false })
      })
    } catch {
      // Without a connection there is nothing to try again.
    }
  }

  override render() {
    // An element of its own, so that its place is known; it has no box (base.css). A custom element may be anywhere.
    return createElement('page-part', { ref: this.place }, this.state.failed ? null : this.props.children)
  }
}
