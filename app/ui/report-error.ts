import { href } from 'react-router'
import { describeBrowserError } from '../shared/browser-errors.ts'

const reported = new Set<string>()

/** Reports an error to the server's log, with the release. Each part is reported once for the document. */
export function reportError(error: unknown, part: string): void {
  if (reported.has(part)) return
  reported.add(part)
  const { __reactRouterManifest: manifest } = window as { __reactRouterManifest?: { version: string } }
  navigator.sendBeacon(
    href('/api/browser-error'),
    describeBrowserError(part, manifest?.version ?? 'unknown', error),
  )
}
