import * as React from 'react'

/**
 * Watches the components that `RenderedOnce` renders on their own, which must not depend on a document: nothing of a
 * visitor may be in them. React's hooks are behind an object that a rendering sets, so each rendering inside another one
 * gets an object that notes what it must not read. That place is private to React. If a later version keeps it
 * elsewhere, the tests of this file find no part.
 */

type Hooks = Record<string, (...given: unknown[]) => unknown>
type Internals = { H: Hooks | null }

const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } =
  React as unknown as Record<string, Internals | undefined>
if (!internals) throw new Error('React keeps its hooks elsewhere: read tests/part-guard.ts.')

const forbidden: string[] = []
let rendered = 0
let isRefusing = false
let current = internals.H
let guarded: Hooks | null = null
const Clock = Date
/** The clock around a part, which a test may have replaced. */
let clockAround = Clock

/** A part may hold another, which is then rendered with it. */
const ALLOWED_READER = 'RenderedOnce'

/** The frames of a stack that are neither these watchers nor React. */
const READER = /^ *at (?!new NotedClock|NotedClock|note|Object\.|exports\.)(.+)$/m

/** Tests of `RenderedOnce` itself, in the same process, have components that read. */
const PRODUCT = '/build/server/'

function note(what: string): void {
  const stack = new Error().stack ?? ''
  const reader = READER.exec(stack)?.[1] ?? 'something'
  if (stack.includes(PRODUCT) && !reader.startsWith(`${ALLOWED_READER} `))
    forbidden.push(`${what}: ${reader}`)
}

class NotedClock extends Clock {
  constructor(...given: [] | [string | number]) {
    if (given.length === 0) note('the clock')
    super(...(given as [string]))
  }
  static override now(): number {
    note('the clock')
    return Clock.now()
  }
}

/** The hooks of a part. */
function guard(hooks: Hooks): Hooks {
  const noted =
    (name: string, isForbidden: (given: unknown) => boolean = () => true) =>
    (given: unknown) => {
      if (isForbidden(given)) note(name)
      return hooks[name]?.(given)
    }
  return {
    ...hooks,
    useContext: noted('useContext'),
    readContext: noted('readContext'),
    useId: noted('useId'),
    // Parts may await a script by the promise of its import.
    use: noted('use', (given) => typeof (given as { then?: unknown }).then !== 'function'),
  }
}

Object.defineProperty(internals, 'H', {
  get: () => current,
  set(next: Hooks | null) {
    const isPart = next !== null && current !== null && current !== guarded
    if (next !== null && current === null && isRefusing) {
      isRefusing = false
      throw new Error('refused by the test')
    }
    if (isPart) {
      rendered++
      guarded = guard(next)
      clockAround = globalThis.Date
      globalThis.Date = NotedClock as DateConstructor
    } else if (current !== null && current === guarded) globalThis.Date = clockAround
    current = isPart ? guarded : next
  },
})

/** The forbidden reads of parts in this process, each with the function that reads. */
export const forbiddenReads: readonly string[] = forbidden

/** The number of parts that this process has rendered on their own. */
export const partsRendered = () => rendered

/** Makes the next rendering fail. The product then renders that document as a stream, where nothing is shared. */
export function refuseNextRendering(): void {
  isRefusing = true
}
