/** The key of the chosen colour scheme in local storage. */
export const THEME_STORAGE_KEY = 'theme'
export const THEMES = ['light', 'dark', 'system'] as const
export type Theme = (typeof THEMES)[number]

/**
 * Runs in the document's head before the first paint: puts the stored choice on <html data-theme>. Its text is
 * constant, so a content security policy can contain its hash.
 */
export const THEME_SCRIPT = `try{var t=localStorage.getItem('${THEME_STORAGE_KEY}');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch(e){}`

/** Reads the stored theme; anything unknown or missing means the system's. */
export function parseTheme(stored: string | null): Theme {
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}
