import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, inject } from 'vitest'
import { openEmbeddedDatabase } from '../database.ts'
import { aPicture } from '../e2e/vendor-forms.ts'
import { startServer, type TestServer } from '../server.ts'
import { startChromium } from './chromium.ts'
import type { Engine, Size } from './engine.ts'
import { startFirefox } from './firefox.ts'
import {
  DRIVER,
  type EngineName,
  FIREFOX,
  findProgram,
  MINI_BROWSER,
  missingPrograms,
  SCREEN,
} from './installed.ts'
import { withKeptErrors } from './page-errors.ts'
import { button, field, Visitor } from './visitor.ts'
import { startWebkit } from './webkit.ts'

/** A server with the demo, and an engine that shows it, for one test file. */
export type EngineStage = {
  readonly engine: EngineName
  readonly server: TestServer
  arrive(size: Size): Promise<Visitor>
  arriveAs(email: string, size: Size): Promise<Visitor>
  /** Makes a picture. @returns its path */
  pictureFile(name: string, background: string): Promise<string>
}

/**
 * Declares the tests of an engine. On a machine without it they are skipped, and `npm test` says so; under
 * `ENGINES=required` they fail.
 */
export function describeIn(name: EngineName, tests: (stage: EngineStage) => void): void {
  const missing = missingPrograms(name)
  if (missing.length > 0 && process.env.ENGINES === 'required')
    throw new Error(`${name} can't be tested: this machine lacks ${missing.join(', ')}.`)
  describe.skipIf(missing.length > 0)(`in ${name}`, () => tests(setUp(name)))
}

function setUp(name: EngineName): EngineStage {
  let engine: Engine | null = null
  let server: TestServer
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'jubilee-engine-'))
    server = await startServer({
      openDatabase: openEmbeddedDatabase,
      listen: true,
      demo: true,
      drawnPictures: inject('drawnPictures'),
      env: { PAYOUTS: 'sandbox' },
      ...(name === 'WebKit' ? { changeApp: withKeptErrors } : {}),
    })
    engine = await startEngine(name, server.origin)
    process.stdout.write(`The tests of engines run in ${engine.name}.\n`)
  })
  afterAll(async () => {
    await engine?.close()
    await server?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const arrive = async (size: Size) => {
    if (!engine) throw new Error(`${name} hasn't started.`)
    return new Visitor(await engine.open(size), server.origin)
  }
  return {
    engine: name,
    get server() {
      return server
    },
    arrive,
    async arriveAs(email, size) {
      const visitor = await arrive(size)
      await logsIn(visitor, email, 'celebrate')
      return visitor
    },
    async pictureFile(file, background) {
      const { buffer } = await aPicture(file, background)
      const path = join(folder, file)
      writeFileSync(path, buffer)
      return path
    },
  }
}

/** @param origin of the server whose pages it shows */
function startEngine(name: EngineName, origin: string): Promise<Engine> {
  const path = (program: string) => findProgram(program) ?? program
  if (name === 'Chromium') return startChromium(origin)
  if (name === 'Firefox') return startFirefox(path(FIREFOX))
  return startWebkit({ driver: path(DRIVER), browser: path(MINI_BROWSER), screen: path(SCREEN) })
}

/** Logs in by the form. */
export async function logsIn(visitor: Visitor, email: string, password: string): Promise<void> {
  await visitor.visit('/login')
  await visitor.fill(field('Email'), email)
  await visitor.fill(field('Password'), password)
  await visitor.click(button('Log In'))
  await visitor.isAt(/^(?!\/login)/)
  await visitor.isReady()
}
