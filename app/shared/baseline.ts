/**
 * The oldest browsers in which the product's scripts run (docs/browsers.md). The build compiles for them, and
 * tests/baseline.ts checks what was built. Below them, pages are as they are without scripts (ui/plain-page.ts).
 */
export const BASELINE = { chrome: '111', edge: '111', firefox: '128', safari: '16.4', ios: '16.4' } as const

/** The same as esbuild, Rolldown and Lightning CSS name them: 'safari16.4'. */
export const BUILD_TARGETS = Object.entries(BASELINE).map(([browser, version]) => `${browser}${version}`)
