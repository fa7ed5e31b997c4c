import { accessSync, constants, globSync } from 'node:fs'
import { join } from 'node:path'

/** The engines of the tests. npm brings the first, and `.ci/run` installs the others. */
export const ENGINES = ['Chromium', 'Firefox', 'WebKit'] as const
export type EngineName = (typeof ENGINES)[number]

/** The programs that an engine needs and this machine lacks, by name. */
export function missingPrograms(name: EngineName): string[] {
  if (name === 'Chromium') return []
  const wanted = name === 'Firefox' ? ([FIREFOX] as const) : ([DRIVER, MINI_BROWSER, SCREEN] as const)
  return wanted.filter((program) => findProgram(program) === null)
}

export const FIREFOX = 'firefox-esr'
export const DRIVER = 'WebKitWebDriver'
export const MINI_BROWSER = 'MiniBrowser'
export const SCREEN = 'Xvfb'

/** The path of an engine's program, or null. */
export function findProgram(program: string): string | null {
  if (program === MINI_BROWSER) return globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser').sort().at(-1) ?? null
  return onPath(program) ?? (program === FIREFOX ? onPath('firefox') : null)
}

function onPath(program: string): string | null {
  const paths = (process.env.PATH ?? '').split(':').map((folder) => join(folder, program))
  return (
    paths.find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    }) ?? null
  )
}
