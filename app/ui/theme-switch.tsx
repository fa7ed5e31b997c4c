import { useLayoutEffect, useSyncExternalStore } from 'react'
import { Icon } from './icon.tsx'
import { SegmentedControl } from './tabs.tsx'
import { parseTheme, THEME_COLOURS, THEME_STORAGE_KEY, type Theme } from './theme.ts'

const listeners = new Set<() => void>()
// Private windows may refuse local storage: the choice then lasts as long as the page.
let unsavedTheme: Theme | null = null

function readTheme(): Theme {
  try {
    return unsavedTheme ?? parseTheme(localStorage.getItem(THEME_STORAGE_KEY))
  } catch {
    return unsavedTheme ?? 'system'
  }
}

function chooseTheme(theme: Theme) {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  colourBars(theme)
  try {
    if (theme === 'system') localStorage.removeItem(THEME_STORAGE_KEY)
    else localStorage.setItem(THEME_STORAGE_KEY, theme)
    unsavedTheme = null
  } catch {
    unsavedTheme = theme
  }
  for (const listener of listeners) listener()
}

/** Gives the browser's own bars the chosen scheme's colour. 'system' leaves them to the document's two. */
function colourBars(theme: Theme) {
  document.querySelector('meta[name=theme-color]:not([media])')?.remove()
  if (theme === 'system') return
  const meta = document.createElement('meta')
  meta.name = 'theme-color'
  meta.content = THEME_COLOURS[theme]
  document.head.prepend(meta)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The option marked in a document from the server, which does not know the choice. */
const DOCUMENT_THEME: Theme = 'system'

const OPTIONS = [
  { value: 'light', label: 'Day', icon: <Icon name="sun" /> },
  { value: 'dark', label: 'Night', icon: <Icon name="moon" /> },
  { value: 'system', label: 'Auto', icon: <Icon name="monitor" /> },
] as const

/** The colour scheme: day, night, or the system's. Stored in local storage; several switches on a page stay in sync. */
export function ThemeSwitch({ name = 'theme' }: { name?: string }) {
  const theme = useSyncExternalStore(subscribe, readTheme, () => DOCUMENT_THEME)
  useLayoutEffect(() => {
    // Pressed before this ran.
    const pressed = document.querySelector<HTMLInputElement>(`input[name="${name}"]:checked`)
    const chosen = parseTheme(pressed?.value ?? null)
    if (chosen !== DOCUMENT_THEME && chosen !== readTheme()) chooseTheme(chosen)
  }, [name])
  return (
    <SegmentedControl
      label="Colour scheme"
      name={name}
      options={OPTIONS}
      value={theme}
      onChange={chooseTheme}
    />
  )
}
