import { existsSync } from 'node:fs'
import sparticuz from '@sparticuz/chromium'

/** For machines on which the package's program can't run. */
const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
]

/**
 * Returns the path of the headless Chromium from npm, which the first call unpacks. It does the same work in a half to a quarter of
 * the processor time of a whole Chrome, and is the same on every machine. `TEST_BROWSER` names another program. Two processes
 * must not unpack it at once: one would start a program that the other still writes. So the global setup calls this before the lanes do.
 */
export async function browserProgram(): Promise<string> {
  const { TEST_BROWSER } = process.env
  if (TEST_BROWSER) return TEST_BROWSER
  const runsHere = process.platform === 'linux' && process.arch === 'x64'
  const installed = runsHere ? undefined : INSTALLED.find((path) => existsSync(path))
  return installed ?? (await sparticuz.executablePath())
}
