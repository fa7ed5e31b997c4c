import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { TabLinks } from '../../../ui/tabs.tsx'
import './operations-tabs.css'

/** The tabs of the operators' screens: more than a phone has room for, so they scroll. */
export function OperationsTabs({
  tabs,
}: {
  tabs: readonly { to: string; label: ReactNode; end?: boolean }[]
}) {
  const frame = useRef<HTMLDivElement>(null)
  const { pathname } = useLocation()
  // The browser's own way (`scroll-initial-target`) works only for a new document.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tab of the page changes with its address.
  useEffect(() => {
    const current = frame.current?.querySelector<HTMLElement>('[aria-current]')
    const row = current?.parentElement
    if (current && row) row.scrollLeft = current.offsetLeft - (row.clientWidth - current.offsetWidth) / 2
  }, [pathname])
  return (
    <div ref={frame} className="operations-tabs">
      <TabLinks label="Operations" tabs={tabs} />
    </div>
  )
}
