import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Grip, Key, Tab } from './engine.ts'
import {
  describePage,
  findTarget,
  isHydrated,
  type Kind,
  prepareField,
  readyElement,
  type Target,
} from './in-page.ts'

/** Three engines at once make a machine slow, which is no fault of the page. */
const WAIT_MS = 60_000
/** Between two looks at a page. */
const LOOK_MS = 40

const target =
  (kind: Kind) =>
  (words: string | RegExp | null = null, within: Target | null = null): Target => ({
    kind,
    words: words instanceof RegExp ? [words.source, words.flags] : words,
    within,
  })

export const button = target('button')
export const link = target('link')
export const heading = target('heading')
export const field = target('field')
export const item = target('item')
export const article = target('article')
export const group = target('group')
export const dialog = target('dialog')
export const option = target('option')
export const text = target('text')
const files = target('file')

const asTarget = (what: Target | string | RegExp) =>
  typeof what === 'string' || what instanceof RegExp ? text(what) : what

const nameOf = ({ kind, words, within }: Target): string =>
  `${kind} '${words ?? ''}'${within ? ` in ${nameOf(within)}` : ''}`

/** An expression that calls a function in the page. */
export const inPage = (run: (...args: never[]) => unknown, ...args: unknown[]) =>
  `(${run})(${args.map((arg) => JSON.stringify(arg)).join(', ')})`

const found = (what: Target) => inPage(findTarget, what)

/** A person in an engine: acts by the names of things, and waits for what it needs. */
export class Visitor {
  readonly tab: Tab
  readonly #origin: string

  constructor(tab: Tab, origin: string) {
    this.tab = tab
    this.#origin = origin
  }

  /** Opens an address, and waits until its page is interactive. */
  async visit(path: string): Promise<void> {
    // A page that is still going elsewhere by itself aborts it.
    await this.#until(`${path} is open`, async () => {
      await this.tab.goto(this.#origin + path)
      return true
    })
    await this.isReady()
  }

  async isReady(): Promise<void> {
    await this.#until('the page is hydrated', async () => await this.tab.evaluate(inPage(isHydrated)))
  }

  /** Waits for a text or an element. */
  async sees(what: Target | string | RegExp): Promise<void> {
    const sought = asTarget(what)
    await this.#until(`there is ${nameOf(sought)}`, () => this.tab.evaluate(`${found(sought)} !== null`))
  }

  /** Waits until a text or an element is gone. */
  async misses(what: Target | string | RegExp): Promise<void> {
    const sought = asTarget(what)
    await this.#until(`${nameOf(sought)} is gone`, () => this.tab.evaluate(`${found(sought)} === null`))
  }

  /** Waits until the address has this path. */
  async isAt(path: string | RegExp): Promise<void> {
    await this.#until(`the address is ${path}`, async () => {
      const at = String(await this.tab.evaluate('location.pathname'))
      return typeof path === 'string' ? at === path : path.test(at)
    })
  }

  async click(what: Target): Promise<void> {
    const grip = await this.#ready(what)
    await grip.click()
  }

  /** Types into a field in place of what it holds, or chooses an option of a list. */
  async fill(what: Target, typed: string): Promise<void> {
    await this.#until(`${nameOf(what)} holds '${typed}'`, async () => {
      if (!(await this.tab.grip(`(${readyElement})(${found(what)})`))) return false
      const isDone = await this.tab.evaluate(`(${prepareField})(${found(what)}, ${JSON.stringify(typed)})`)
      if (!isDone) await (typed ? this.tab.type(typed) : this.tab.press('Backspace'))
      const bare = (text: unknown) => String(text).replace(/\s/g, '')
      const held = await this.tab.evaluate(
        `(${found(what)})?.selectedOptions?.[0]?.label === ${JSON.stringify(typed)} ? ${JSON.stringify(typed)} : (${found(what)})?.value`,
      )
      return bare(held) === bare(typed)
    })
  }

  /** Chooses files of this machine for the page's file field. */
  async attach(paths: readonly string[]): Promise<void> {
    const grip = await this.#until('there is a file field', () => this.tab.grip(found(files())))
    await grip.attach(paths)
  }

  async press(key: Key): Promise<void> {
    await this.tab.press(key)
  }

  /** Closes the tab. Any error of a page or of the console fails the test. */
  async leave(expected: readonly RegExp[] = []): Promise<void> {
    const errors = await this.tab.takeErrors()
    await this.tab.close()
    expect(errors.filter((error) => !expected.some((known) => known.test(error)))).toEqual([])
  }

  async #ready(what: Target): Promise<Grip> {
    const ready = `(${readyElement})(${found(what)})`
    return this.#until(`${nameOf(what)} is ready`, () => this.tab.grip(ready))
  }

  async #until<T>(what: string, look: () => Promise<T>): Promise<NonNullable<T>> {
    const endMs = Date.now() + WAIT_MS
    for (;;) {
      let failure: unknown
      try {
        const seen = await look()
        if (seen) return seen
      } catch (error) {
        // The page was left meanwhile, or the element is another.
        failure = error
      }
      if (Date.now() > endMs) {
        const shown = await this.tab.evaluate(inPage(describePage)).catch(String)
        const errors = await this.tab.takeErrors().catch(String)
        throw new Error(`Waited in vain until ${what}. ${failure ?? ''}\n${shown}\n${errors}`)
      }
      await wait(LOOK_MS)
    }
  }
}
