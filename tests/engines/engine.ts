/** A browser engine of the tests, and one of its tabs. The three engines differ in nothing else. */

export type Engine = {
  /** With its version: 'Firefox 153'. */
  name: string
  /** Opens an empty tab of a person of their own. */
  open(size: Size): Promise<Tab>
  close(): Promise<void>
}

export type Size = { width: number; height: number }

/** An element that an engine holds. */
export type Grip = {
  click(): Promise<void>
  /** @param paths of files on this machine */
  attach(paths: readonly string[]): Promise<void>
}

export type Tab = {
  goto(address: string): Promise<void>
  /** Evaluates an expression, and waits for it if it is a promise. */
  evaluate(expression: string): Promise<unknown>
  /** Evaluates an expression whose value is an element or null. */
  grip(expression: string): Promise<Grip | null>
  /** Types with the keyboard into what has the focus. */
  type(text: string): Promise<void>
  press(key: Key): Promise<void>
  /** The errors of pages and consoles since the last call. */
  takeErrors(): Promise<string[]>
  close(): Promise<void>
}

export type Key = 'Enter' | 'Backspace' | 'ArrowDown'
