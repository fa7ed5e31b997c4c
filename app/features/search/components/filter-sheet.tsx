import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { isBeside, useModal } from '../../../ui/modal.ts'
import { CLOSE_FILTERS_TEXT, FILTERS_TITLE } from '../messages.ts'
import './filter-sheet.css'

/** Up to that width the filters are a sheet. */
const PHONE = '(width < 769px)'

/**
 * Opens the filters as a sheet on phones, instead of unfolding them in the page. Until the script is there they unfold.
 * @returns `sheet`: the element that the sheet is drawn into; null before its first opening
 */
export function useFilterSheet() {
  const box = useRef<HTMLDivElement>(null)
  const [sheet, setSheet] = useState<Element | null>(null)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const details = box.current?.closest('details')
    const onClick = (event: Event) => {
      const isPhone = window.matchMedia(PHONE).matches
      // Unfolded fields stay where they are: someone may have typed into them.
      if (!details || !(event.target as Element).closest('summary') || details.open) return
      setSheet(isPhone ? details.parentElement : null)
      setOpen(isPhone)
      if (isPhone) event.preventDefault()
    }
    details?.addEventListener('click', onClick)
    return () => details?.removeEventListener('click', onClick)
  }, [])
  return { box, sheet, isOpen, close: useCallback(() => setOpen(false), []) }
}

export function FilterSheet({
  isOpen,
  onClose,
  children,
}: {
  isOpen: boolean
  onClose: () => void
  children: ReactNode
}) {
  const dialog = useModal(isOpen)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the key is Escape, which the browser handles
    <dialog
      ref={dialog}
      className="filter-sheet"
      aria-labelledby="filters-title"
      onClose={onClose}
      onClick={(event) => {
        if (isBeside(event)) onClose()
      }}
    >
      <div className="filter-head">
        <h2 id="filters-title">{FILTERS_TITLE}</h2>
        <IconButton label={CLOSE_FILTERS_TEXT} onClick={onClose}>
          <Icon name="x" />
        </IconButton>
      </div>
      {children}
    </dialog>
  )
}
