/** The key of the chosen colour scheme in local storage. */
export const THEME_STORAGE_KEY = 'theme'
export const THEMES = ['light', 'dark', 'system'] as const
export type Theme = (typeof THEMES)[number]

/** The ground of each scheme (app/styles/tokens.css), which a phone's browser takes for its own bars. */
export const THEME_COLOURS = { light: '#fbf7f0', dark: '#141b1d' } as const

/**
 * Runs in the document's head before the first paint: puts the stored choice on <html data-theme>, and its colour into a
 * `theme-color` before those of the system's schemes, since the first that applies counts. Its text is constant, so a content
 * security policy can contain its hash.
 */
export const THEME_SCRIPT = `try{var t=localStorage.getItem('${THEME_STORAGE_KEY}');if(t==='light'||t==='dark'){document.documentElement.dataset.theme=t;var m=document.createElement('meta');m.name='theme-color';m.content=t==='dark'?'${THEME_COLOURS.dark}':'${THEME_COLOURS.light}';document.head.prepend(m)}}catch(e){}`

/** Reads the stored theme; anything unknown or missing means the system's. */
export function parseTheme(stored: string | null): Theme {
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}
