/** Where a person's choice between day and night is kept in the browser. */
export const THEME_STORAGE_KEY = 'theme'
export const THEMES = ['light', 'dark', 'system'] as const
export type Theme = (typeof THEMES)[number]

/**
 * Runs in the document's head before anything is painted: puts the kept choice on <html data-theme>.
 * Its text is constant, so a content security policy can name its hash.
 */
export const THEME_SCRIPT = `try{var t=localStorage.getItem('${THEME_STORAGE_KEY}');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch(e){}`

/** Reads a stored word; anything unknown, or nothing, means the system decides. */
export function parseTheme(stored: string | null): Theme {
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}
