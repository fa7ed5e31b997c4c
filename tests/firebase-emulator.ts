import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { readToEnd } from './child-output.ts'
import { freePort } from './free-port.ts'
import { installPinned, type PinnedTool } from './pinned-package.ts'

/** Not a dependency of the product. */
export const EMULATOR: PinnedTool = {
  name: 'firebase-emulator',
  packages: { 'firebase-tools': '15.34.2' },
  before: '2026-11-27',
}
const PROGRAM = 'node_modules/firebase-tools/lib/bin/firebase.js'
/** With this prefix the emulator knows that there is no real project, and asks no service on the network. */
const PROJECT_ID = 'demo-jubilee'
const START_LIMIT_MS = 120_000
const POLL_MS = 100

/** The hosted service's own emulator. Its tokens are unsigned. */
export type FirebaseEmulator = {
  url: string
  projectId: string
  /** The time that the package took to install, 0 when it was in the cache, and the emulator to start. */
  took: { installMs: number; startMs: number }
  /** The mails that the service would have sent, oldest first, with their links to our action URL. */
  mails(): Promise<EmulatedMail[]>
  /** The addresses of all accounts. */
  emails(): Promise<string[]>
  /** Disables an account, as in the service's console. */
  disable(email: string): Promise<void>
  /** Changes an account's address at the service alone, as someone who knows its password can. */
  changeEmail(from: { email: string; password: string }, to: string): Promise<void>
  /** Whether wrong passwords and unknown addresses get the same answer. Projects can choose; new ones do. */
  hideAccounts(hidden: boolean): Promise<void>
  stop(): Promise<void>
}

const mailList = z.object({
  oobCodes: z.array(
    z.object({
      email: z.string(),
      newEmail: z.string().optional(),
      requestType: z.string(),
      oobLink: z.string(),
    }),
  ),
})
const accountList = z.object({
  userInfo: z.array(z.object({ localId: z.string(), email: z.string() })).optional(),
})

export type EmulatedMail = {
  kind: string
  /** The account's address when the mail was sent. */
  email: string
  newEmail: string | null
  /** The link with the project's action URL, `{PUBLIC_URL}/account-action`. */
  path: string
}

/**
 * Starts the emulator on free ports of this machine, without Java, which authentication doesn't need. The first call on
 * a machine downloads it; later ones need no network.
 * @throws if it can't be downloaded or doesn't start
 */
export async function startFirebaseEmulator(): Promise<FirebaseEmulator> {
  const beganAt = performance.now()
  const folder = await installPinned(EMULATOR)
  const installedAt = performance.now()
  const home = mkdtempSync(join(tmpdir(), 'jubilee-emulator-'))
  const [port, hub, logging] = [await freePort(), await freePort(), await freePort()]
  const host = '127.0.0.1'
  const emulators = {
    auth: { host, port },
    hub: { host, port: hub },
    logging: { host, port: logging },
    ui: { enabled: false },
  }
  writeFileSync(join(home, 'firebase.json'), JSON.stringify({ emulators }))
  const child = spawn(
    process.execPath,
    [join(folder, PROGRAM), 'emulators:start', '--only', 'auth', '--project', PROJECT_ID],
    // A home of its own and nothing of this process's environment: it must not find anyone's credentials.
    {
      cwd: home,
      env: { PATH: process.env.PATH ?? '', HOME: home, CI: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const endWithUs = () => void child.kill()
  process.once('exit', endWithUs)
  const stop = async () => {
    process.off('exit', endWithUs)
    await end(child)
    rmSync(home, { recursive: true, force: true })
  }
  const url = `http://${host}:${port}`
  try {
    await isReady(child, url)
  } catch (error) {
    await stop()
    throw error
  }
  const took = {
    installMs: Math.round(installedAt - beganAt),
    startMs: Math.round(performance.now() - installedAt),
  }
  return { url, projectId: PROJECT_ID, took, ...administer(url), stop }
}

/** The emulator's own calls, and those of the service's administrators. */
function administer(
  url: string,
): Pick<FirebaseEmulator, 'mails' | 'emails' | 'disable' | 'changeEmail' | 'hideAccounts'> {
  const project = `${url}/identitytoolkit.googleapis.com/v1/projects/${PROJECT_ID}`
  async function call<Answer>(
    address: string,
    answer: z.ZodType<Answer>,
    body?: object,
    { method = body ? 'POST' : 'GET', isAdministrator = true } = {},
  ): Promise<Answer> {
    const response = await fetch(address, {
      headers: {
        'content-type': 'application/json',
        // The emulator's fixed word.
        ...(isAdministrator ? { authorization: 'Bearer owner' } : {}),
      },
      method,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!response.ok) throw new Error(`The emulator answered ${response.status}: ${await response.text()}`)
    return answer.parse(await response.json())
  }
  const findAccounts = async () => (await call(`${project}/accounts:query`, accountList, {})).userInfo ?? []
  return {
    async mails() {
      const { oobCodes } = await call(`${url}/emulator/v1/projects/${PROJECT_ID}/oobCodes`, mailList)
      return oobCodes.map(({ email, newEmail, requestType, oobLink }) => ({
        kind: requestType,
        email,
        newEmail: newEmail ?? null,
        path: `/account-action${new URL(oobLink).search}`,
      }))
    },
    emails: async () => (await findAccounts()).map(({ email }) => email),
    async disable(email) {
      const account = (await findAccounts()).find((one) => one.email === email)
      await call(`${project}/accounts:update`, z.unknown(), {
        localId: account?.localId,
        disableUser: true,
      })
    },
    async changeEmail(from, to) {
      const asThemselves = { isAdministrator: false }
      const asPerson = (what: string) => `${url}/identitytoolkit.googleapis.com/v1/accounts:${what}?key=any`
      const { idToken } = await call(
        asPerson('signInWithPassword'),
        z.object({ idToken: z.string() }),
        { ...from, returnSecureToken: true },
        asThemselves,
      )
      await call(
        asPerson('update'),
        z.unknown(),
        { idToken, email: to, returnSecureToken: true },
        asThemselves,
      )
    },
    async hideAccounts(hidden) {
      const settings = { emailPrivacyConfig: { enableImprovedEmailPrivacy: hidden } }
      await call(`${url}/emulator/v1/projects/${PROJECT_ID}/config`, z.unknown(), settings, {
        method: 'PATCH',
      })
    },
  }
}

/** Resolves once the emulator answers. @throws with its output if it ends before, or takes longer than two minutes */
async function isReady(child: ChildProcess, url: string): Promise<void> {
  const ended = readToEnd(child).then(({ output }) => {
    throw new Error(`The emulator ended:\n${output}`)
  })
  // After the start, the end of the emulator is no error.
  ended.catch(() => {})
  const deadline = Date.now() + START_LIMIT_MS
  const isAnswering = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await Promise.race([isAnswering(), ended]))) {
    if (Date.now() > deadline) throw new Error('The emulator did not start within two minutes.')
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await closed
}
