import { existsSync } from 'node:fs'
import sparticuz from '@sparticuz/chromium'

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
]

/**
 * Returns the path of the machine's own Chrome or Chromium, or of the Chromium from npm, which the first call unpacks. Two processes
 * must not unpack it at once: one would start a program that the other still writes. So the global setup calls this before the lanes do.
 */
export async function browserProgram(): Promise<string> {
  return INSTALLED.find((path) => existsSync(path)) ?? (await sparticuz.executablePath())
}
