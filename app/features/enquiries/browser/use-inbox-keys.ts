import { type RefObject, useEffect, useState } from 'react'
import { COMPOSER_ID } from '../conversation-messages.ts'

const STORED = 'inbox-keys'

/**
 * The keys of the inbox: j and k, or the arrows within the list, move from conversation to conversation, and r goes to the
 * reply. They never act while a person types. Each person can switch them off, since a voice control or a slip of the hand
 * may press single letters (WCAG 2.1.4).
 * @param list contains the links to the conversations
 * @returns whether they are on, and a function that switches them
 */
export function useInboxKeys(list: RefObject<HTMLElement | null>): [boolean, (isOn: boolean) => void] {
  const [isOn, setOn] = useState(true)
  useEffect(() => setOn(readChoice()), [])
  useEffect(() => {
    if (!isOn) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      const at = event.target instanceof Element ? event.target : null
      if (at?.id === COMPOSER_ID && event.key === 'Escape') return links(list.current).current?.focus()
      if (at?.closest('input, textarea, select, [contenteditable], dialog, details[open]')) return
      const isInList = at !== null && list.current?.contains(at) === true
      const step = stepOf(event.key, isInList)
      if (step !== 0) {
        const { all, current } = links(list.current)
        const from = isInList ? all.indexOf(at as HTMLElement) : current ? all.indexOf(current) : -1
        const next = from < 0 ? all[0] : all[from + step]
        if (!next) return
        event.preventDefault()
        next.focus()
      } else if (event.key === 'r' && !event.shiftKey) {
        const composer = document.getElementById(COMPOSER_ID)
        if (!composer) return
        // Or the letter would be typed into it.
        event.preventDefault()
        composer.focus()
      }
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [isOn, list])
  return [
    isOn,
    (next) => {
      setOn(next)
      storeChoice(next)
    },
  ]
}

function stepOf(key: string, isInList: boolean): -1 | 0 | 1 {
  if (key === 'j' || (isInList && key === 'ArrowDown')) return 1
  return key === 'k' || (isInList && key === 'ArrowUp') ? -1 : 0
}

function links(list: HTMLElement | null) {
  const all = [...(list?.querySelectorAll<HTMLElement>('[data-conversation]') ?? [])]
  return { all, current: all.find((link) => link.ariaCurrent === 'page') ?? null }
}

function readChoice(): boolean {
  try {
    return localStorage.getItem(STORED) !== 'off'
  } catch {
    return true
  }
}

function storeChoice(isOn: boolean): void {
  try {
    localStorage.setItem(STORED, isOn ? 'on' : 'off')
  } catch {
    // The choice then lasts as long as the page.
  }
}
