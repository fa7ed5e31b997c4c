import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../free-port.ts'
import type { Engine, Grip, Key, Size, Tab } from './engine.ts'
import { ARRIVE, leaveFor, takeKeptErrors } from './page-errors.ts'
import { endWithUs } from './process-group.ts'

const START_MS = 60_000
/** How long a click may take to reach its element, and how often it is aimed anew. */
const CLICK_MS = 1_000
const CLICK_TRIES = 5
/** The key of an element's id in WebDriver's answers. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
const KEYS: Record<Key, string> = { Enter: '\uE007', Backspace: '\uE003', ArrowDown: '\uE015' }

/** The toolbar of MiniBrowser makes its window 447 px wide at least, so it is drawn without its buttons' sizes. */
const NO_TOOLBAR =
  '* { padding: 0; margin: 0; min-width: 0; min-height: 0; border-width: 0; font-size: 1px; }'

/** WebKit, as MiniBrowser on a screen of its own, driven by WebDriver. One driver runs one session, so each person has one. */
export async function startWebkit(programs: {
  driver: string
  browser: string
  screen: string
}): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-webkit-'))
  mkdirSync(join(folder, 'gtk-3.0'))
  writeFileSync(join(folder, 'gtk-3.0/gtk.css'), NO_TOOLBAR)
  const screen = spawn(
    programs.screen,
    ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'], detached: true },
  )
  const [display] = (await once(screen.stdio[3] as NodeJS.ReadableStream, 'data')) as [Buffer]
  const endScreen = endWithUs(screen.pid ?? 0)
  const running = new Set<() => void>()
  const env = {
    ...process.env,
    DISPLAY: `:${String(display).trim()}`,
    XDG_CONFIG_HOME: folder,
    TZ: 'Australia/Melbourne',
    LIBGL_ALWAYS_SOFTWARE: '1',
    NO_AT_BRIDGE: '1',
    // Its sandbox needs rights that containers don't give. The pages are our own.
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
  }
  const open = async (size: Size): Promise<Tab & { version: string }> => {
    const port = await freePort()
    // A group of its own, so that the browser's processes end with it.
    const driver = spawn(programs.driver, [`--port=${port}`], { env, stdio: 'ignore', detached: true })
    const end = endWithUs(driver.pid ?? 0)
    running.add(end)
    const close = () => {
      running.delete(end)
      end()
    }
    try {
      return await openSession(`http://127.0.0.1:${port}`, programs.browser, size, close)
    } catch (error) {
      close()
      throw error
    }
  }
  const first = await open({ width: 390, height: 844 })
  await first.close()
  return {
    name: `WebKit ${first.version}`,
    open,
    async close() {
      // Those of failed tests.
      for (const end of running) end()
      // Told to end, it removes its socket.
      screen.kill()
      await once(screen, 'exit')
      endScreen()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function openSession(
  driver: string,
  browser: string,
  size: Size,
  end: () => void,
): Promise<Tab & { version: string }> {
  await untilListening(`${driver}/status`)
  const capabilities = {
    alwaysMatch: {
      browserName: 'MiniBrowser',
      'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] },
    },
  }
  const session = (await call('POST', `${driver}/session`, { capabilities })) as {
    sessionId: string
    capabilities: { browserVersion: string }
  }
  const at = `${driver}/session/${session.sessionId}`
  const post = (path: string, body: object = {}) => call('POST', at + path, body)
  await fitWindow(post, size)
  const run = async (expression: string) => {
    const script = `const done = arguments[0]
      Promise.resolve().then(() => ${expression}).then((value) => done([value ?? null]), (error) => done(String(error)))`
    const answer = await post('/execute/async', { script, args: [] })
    if (!Array.isArray(answer)) throw new Error(String(answer))
    return answer[0] as unknown
  }
  const strike = (keys: readonly string[]) =>
    post('/actions', {
      actions: [
        {
          type: 'key',
          id: 'keyboard',
          actions: keys.flatMap((value) => [
            { type: 'keyDown', value },
            { type: 'keyUp', value },
          ]),
        },
      ],
    })
  const onElement = (kind: 'sync' | 'async', script: string, id: string) =>
    post(`/execute/${kind}`, { script, args: [{ [ELEMENT]: id }] })
  const pointAt = async (id: string) => {
    const script = `const [element] = arguments
      element.wasClicked = false
      element.addEventListener('click', () => { element.wasClicked = true }, { capture: true, once: true })
      element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
      const { x, y, width, height } = element.getClientRects()[0]
      return [Math.round(x + width / 2), Math.round(y + height / 2)]`
    return (await onElement('sync', script, id)) as [number, number]
  }
  const wasClicked = async (id: string) => {
    const script = `const [element, done] = arguments
      const endMs = performance.now() + ${CLICK_MS}
      const look = () => element.wasClicked || !element.isConnected ? done(true)
        : performance.now() > endMs ? done(false) : requestAnimationFrame(look)
      look()`
    // An element that is gone, with its page or without, has done what it was clicked for.
    return onElement('async', script, id).catch(() => true)
  }
  const gripOf = (id: string): Grip => ({
    // By the pointer, as a person does: the driver's own click refuses links that are drawn over a whole card.
    async click() {
      const pressed = { type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' } }
      for (let tries = 0; tries < CLICK_TRIES; tries += 1) {
        const [x, y] = await pointAt(id)
        const actions = [
          { type: 'pointerMove', x, y, duration: 0 },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ]
        await post('/actions', { actions: [{ ...pressed, actions }] })
        // A late part of the page may push the element away: point again, as a person would.
        if (await wasClicked(id)) return
      }
      throw new Error(`The pointer missed its element ${CLICK_TRIES} times.`)
    },
    attach: async (paths) => void (await post(`/element/${id}/value`, { text: paths.join('\n') })),
  })
  return {
    version: session.capabilities.browserVersion,
    async goto(address) {
      await run(leaveFor(address))
      await post('/url', { url: address })
      await run(ARRIVE)
    },
    evaluate: run,
    async grip(expression) {
      const answer = (await run(expression)) as Record<string, string> | null
      const id = answer?.[ELEMENT]
      return id ? gripOf(id) : null
    },
    type: async (text) => void (await strike([...text])),
    press: async (key) => void (await strike([KEYS[key]])),
    takeErrors: () => takeKeptErrors(run),
    async close() {
      await call('DELETE', at).catch(() => {})
      end()
    },
  }
}

/** Gives the page's own area this size: the window's frame takes some of it. */
async function fitWindow(post: (path: string, body?: object) => Promise<unknown>, size: Size): Promise<void> {
  const endMs = Date.now() + START_MS
  for (let frame = 0; ; ) {
    await post('/window/rect', { x: 0, y: 0, width: size.width, height: size.height + frame })
    const script = 'return [innerWidth, innerHeight]'
    const [width, height] = (await post('/execute/sync', { script, args: [] })) as [number, number]
    if (width === size.width && height === size.height) return
    if (Date.now() > endMs)
      throw new Error(`The window is ${width} × ${height} px, not ${size.width} × ${size.height}.`)
    frame += size.height - height
  }
}

async function untilListening(address: string): Promise<void> {
  const endMs = Date.now() + START_MS
  for (;;) {
    try {
      await fetch(address)
      return
    } catch (error) {
      if (Date.now() > endMs) throw error
      await wait(30)
    }
  }
}

/** @throws Error with the driver's words */
async function call(method: 'POST' | 'DELETE', address: string, body?: object): Promise<unknown> {
  const answer = await fetch(address, {
    method,
    ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
  })
  const { value } = (await answer.json()) as { value: unknown }
  if (answer.ok) return value
  const { error, message } = value as { error: string; message: string }
  throw new Error(`${error}: ${message}`)
}
