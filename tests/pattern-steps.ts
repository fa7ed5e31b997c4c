/**
 * Counts the steps of a backtracking matcher, as browsers and Node have one: each comparison of a character is a step.
 * So a test can compare how the work grows with a text's length, which a clock can't tell on a busy machine.
 */

type Node =
  | { kind: 'character'; test: (character: string) => boolean }
  | { kind: 'assertion'; source: string }
  | { kind: 'group'; choices: Node[][]; capture: number | null }
  | { kind: 'look'; choices: Node[][]; behind: boolean; negated: boolean }
  | { kind: 'repeat'; node: Node; min: number; max: number; greedy: boolean }
  | { kind: 'reference'; capture: number }

type State = { text: string[]; captures: (readonly [number, number] | undefined)[] }
type Next = (at: number) => boolean

/**
 * Prepares a pattern.
 * @returns counts the steps of finding its matches in a text: the first, or with the flag 'g' all
 */
export function stepCounter(source: string, flags: string): (text: string) => number {
  const choices = new Parser(source, flags).parse()
  let steps = 0

  const matchAny = (all: Node[][], at: number, state: State, next: Next, back: boolean): boolean =>
    all.some((nodes) => matchAll(back ? nodes.toReversed() : nodes, 0, at, state, next, back))

  const matchAll = (
    nodes: Node[],
    index: number,
    at: number,
    state: State,
    next: Next,
    back: boolean,
  ): boolean => {
    const node = nodes[index]
    if (!node) return next(at)
    return match(node, at, state, (end) => matchAll(nodes, index + 1, end, state, next, back), back)
  }

  const character = (test: (character: string) => boolean, at: number, { text }: State, back: boolean) => {
    steps++
    const found = text[back ? at - 1 : at]
    return found !== undefined && test(found)
  }

  const repeat = (
    node: Node & { kind: 'repeat' },
    at: number,
    state: State,
    next: Next,
    back: boolean,
  ): boolean => {
    const { node: inner, min, max, greedy } = node
    const step = back ? -1 : 1
    if (inner.kind === 'character') {
      // In a loop, because a recursion for each character would be too deep.
      if (!greedy) {
        for (let count = 0; ; count++) {
          if (count >= min && next(at + count * step)) return true
          if (count >= max || !character(inner.test, at + count * step, state, back)) return false
        }
      }
      let count = 0
      while (count < max && character(inner.test, at + count * step, state, back)) count++
      for (; count >= min; count--) if (next(at + count * step)) return true
      return false
    }
    const more = (count: number, from: number): boolean => {
      const again = () =>
        count < max &&
        match(
          inner,
          from,
          state,
          (end) => (end === from && count >= min ? false : more(count + 1, end)),
          back,
        )
      if (count < min) return again()
      return greedy ? again() || next(from) : next(from) || again()
    }
    return more(0, at)
  }

  const match = (node: Node, at: number, state: State, next: Next, back: boolean): boolean => {
    switch (node.kind) {
      case 'character':
        return character(node.test, at, state, back) && next(back ? at - 1 : at + 1)
      case 'assertion':
        steps++
        return holds(node.source, state.text, at, flags.includes('m')) && next(at)
      case 'repeat':
        return repeat(node, at, state, next, back)
      case 'look': {
        const found = matchAny(node.choices, at, state, () => true, node.behind)
        return found !== node.negated && next(at)
      }
      case 'reference': {
        const [from, until] = state.captures[node.capture] ?? [0, 0]
        const same = state.text.slice(from, until).every((each, index) => {
          steps++
          return each === state.text[at + index]
        })
        return same && next(at + until - from)
      }
      case 'group': {
        const { choices: all, capture } = node
        const close: Next = (end) => {
          if (capture !== null) state.captures[capture] = at < end ? [at, end] : [end, at]
          return next(end)
        }
        return matchAny(all, at, state, close, back)
      }
    }
  }

  return (input) => {
    steps = 0
    const state: State = { text: [...input], captures: [] }
    for (let start = 0; start <= state.text.length; ) {
      let end = -1
      const finish = (at: number) => {
        end = at
        return true
      }
      const found = matchAny(choices, start, state, finish, false)
      if (flags.includes('y') || (found && !flags.includes('g'))) break
      start = found && end > start ? end : start + 1
    }
    return steps
  }
}

const isWord = (character: string | undefined) => character !== undefined && /\w/.test(character)

function holds(source: string, text: string[], at: number, multiline: boolean): boolean {
  if (source === '^') return at === 0 || (multiline && text[at - 1] === '\n')
  if (source === '$') return at === text.length || (multiline && text[at] === '\n')
  return (isWord(text[at - 1]) !== isWord(text[at])) === (source === '\\b')
}

/** Parses what our patterns use of the syntax. A character or a class is left to the engine. */
class Parser {
  readonly #source: string
  readonly #flags: string
  readonly #names: (string | null)[] = []
  #at = 0

  constructor(source: string, flags: string) {
    this.#source = source
    this.#flags = flags.replace(/[^iusv]/g, '')
  }

  parse(): Node[][] {
    const choices: Node[][] = [[]]
    while (this.#at < this.#source.length && this.#source[this.#at] !== ')') {
      if (this.#take('|')) choices.push([])
      else choices.at(-1)?.push(this.#quantified(this.#atom()))
    }
    return choices
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  #read(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#source)?.[0]
    if (found === undefined) return null
    this.#at += found.length
    return found
  }

  #atom(): Node {
    for (const [start, behind, negated] of [
      ['(?=', false, false],
      ['(?!', false, true],
      ['(?<=', true, false],
      ['(?<!', true, true],
    ] as const)
      if (this.#take(start)) return { kind: 'look', choices: this.#inside(), behind, negated }
    if (this.#take('(?:')) return { kind: 'group', choices: this.#inside(), capture: null }
    const name = this.#read(/\(\?<\w+>/y)
    if (name !== null || this.#take('(')) {
      const capture = this.#names.push(name?.slice(3, -1) ?? null)
      return { kind: 'group', choices: this.#inside(), capture }
    }
    const assertion = this.#read(/\^|\$|\\[bB]/y)
    if (assertion !== null) return { kind: 'assertion', source: assertion }
    const reference = this.#read(/\\[1-9]/y)
    if (reference !== null) return { kind: 'reference', capture: Number(reference.slice(1)) }
    const one = this.#read(
      /\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\c[a-z]|\\.|./isy,
    )
    return { kind: 'character', test: this.#tester(one ?? '') }
  }

  #inside(): Node[][] {
    const choices = this.parse()
    if (!this.#take(')')) throw new Error(`no end of a group in ${this.#source}`)
    return choices
  }

  #tester(source: string): (character: string) => boolean {
    const pattern = new RegExp(`^(?:${source})$`, this.#flags)
    const known = new Map<string, boolean>()
    return (character) => {
      const found = known.get(character) ?? pattern.test(character)
      known.set(character, found)
      return found
    }
  }

  #quantified(node: Node): Node {
    const quantifier = this.#read(/[*+?]|\{\d+(?:,\d*)?\}/y)
    if (quantifier === null) return node
    const greedy = !this.#take('?')
    const [least = '', most] = quantifier.replace(/[{}]/g, '').split(',')
    const [min, max] = { '*': [0, Infinity], '+': [1, Infinity], '?': [0, 1] }[quantifier] ?? [
      Number(least),
      most === undefined ? Number(least) : most === '' ? Infinity : Number(most),
    ]
    return { kind: 'repeat', node, min: min ?? 0, max: max ?? 0, greedy }
  }
}
