/**
 * Finds the commands whose transaction can write and then refuse. Their writes are rolled back
 * (app/adapters/database/transactions.server.ts), and each has a test that nothing is left of them.
 *
 * It follows each branch and each call, but not what values mean: a refusal that the locks rule out is listed too.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

/** Any later call writes the same again, so nothing is lost with these. */
const REPEATED: readonly string[] = ['claimAdminEmails']

const WRITES = /\.(insertInto|updateTable|deleteFrom)\(|sql`\s*(insert|update|delete) /

/** A function, with what is known of it so far. */
type Fn = {
  node: ts.FunctionLikeDeclaration
  file: SourceFile
  writes: boolean
  /** The refusals that it returns: 'refuse' for `{ ok: false }`, else the text of `null`, `false` or a string. */
  refusals: Set<string>
  /** Those of them that it can return after a write. */
  late: Set<string>
}
type SourceFile = { source: ts.SourceFile; own: Map<string, Fn>; imported: Map<string, string> }
type Program = { files: Map<string, SourceFile>; named: Map<string, Fn[]> }

/**
 * The writes up to a point of the code. `results` has the variables whose own call was the last write: a call that refused
 * wrote nothing, except what `late` says.
 */
type State = {
  written: boolean
  results: ReadonlyMap<string, { before: boolean; late: ReadonlySet<string> }>
}

/**
 * @param files the sources to read
 * @returns the names of the functions around such transactions, in order
 */
export function commandsThatWriteBeforeRefusing(
  files: readonly string[] = globSync('app/**/*.server.ts', {
    exclude: (name) => name.endsWith('.test.ts'),
  }).sort(),
): string[] {
  const program = readProgram(files)
  const all = [...program.named.values()].flat()
  // Functions call each other in circles, so each is read again until nothing new is found.
  for (let found = -1, before = -2; found > before; ) {
    before = found
    for (const fn of all) readFunction(program, fn)
    found = all.reduce((sum, fn) => sum + Number(fn.writes) + fn.refusals.size + fn.late.size, 0)
  }
  const commands = new Set<string>()
  for (const file of program.files.values())
    walk(file.source, (node) => {
      const work = workOfTransaction(node)
      if (work && findRefusals(program, { node: work, file }).late.has('refuse'))
        commands.add(nameAround(node))
    })
  return [...commands].sort()
}

function readProgram(files: readonly string[]): Program {
  const program: Program = { files: new Map(), named: new Map() }
  for (const path of files) {
    const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
    const file: SourceFile = { source, own: new Map(), imported: new Map() }
    program.files.set(path, file)
    walk(source, (node) => {
      if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
        const names = node.importClause?.namedBindings
        const from = join(dirname(path), node.moduleSpecifier.text)
        if (names && ts.isNamedImports(names))
          for (const { name } of names.elements) file.imported.set(name.text, from)
      }
      const [name, fn] = namedFunction(node)
      if (!name || !fn) return
      if (REPEATED.includes(name)) return
      const one = { node: fn, file, writes: false, refusals: new Set<string>(), late: new Set<string>() }
      file.own.set(name, one)
      program.named.set(name, [...(program.named.get(name) ?? []), one])
    })
  }
  return program
}

function namedFunction(node: ts.Node): [string, ts.FunctionLikeDeclaration] | [null, null] {
  if ((ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) && node.name && node.body)
    return [node.name.getText(), node]
  if (!ts.isVariableDeclaration(node) && !ts.isPropertyAssignment(node)) return [null, null]
  const { initializer } = node
  const isFunction = initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
  return isFunction ? [node.name.getText(), initializer] : [null, null]
}

function readFunction(program: Program, fn: Fn): void {
  fn.writes ||= fn.node.body !== undefined && writesOf(program, fn, fn.node.body).isWrite
  const { refusals, late } = findRefusals(program, fn)
  for (const one of refusals) fn.refusals.add(one)
  for (const one of late) fn.late.add(one)
}

/** The function that a transaction runs; null for any other node. */
function workOfTransaction(node: ts.Node): ts.ArrowFunction | null {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return null
  const { name, expression } = node.expression
  if (name.text !== 'execute' || !/\btransaction\(\)/.test(expression.getText())) return null
  const [work] = node.arguments
  return work && ts.isArrowFunction(work) ? work : null
}

type Reader = Pick<Fn, 'node' | 'file'>

/** The functions that a call may mean: the imported one, the file's own one, or any of that name for a service. */
function calleesOf(program: Program, { file }: Reader, call: ts.CallExpression): Fn[] {
  const callee = call.expression
  if (ts.isPropertyAccessExpression(callee)) return program.named.get(callee.name.text) ?? []
  if (!ts.isIdentifier(callee)) return []
  const from = file.imported.get(callee.text)
  const one = from ? program.files.get(from)?.own.get(callee.text) : file.own.get(callee.text)
  return one ? [one] : []
}

/** Whether an expression or a statement writes, and which refusals its calls can give after writing. */
function writesOf(
  program: Program,
  reader: Reader,
  part: ts.Node,
): { isWrite: boolean; late: Set<string>; refusals: Set<string> } {
  const found = { isWrite: false, late: new Set<string>(), refusals: new Set<string>() }
  const visit = (node: ts.Node): void => {
    // A function that is only made here runs where it is called. A function passed as an argument is taken to run at once.
    if (ts.isFunctionLike(node) && node !== part && !ts.isCallExpression(node.parent)) return
    if (ts.isCallExpression(node)) {
      if (WRITES.test(`${node.expression.getText().slice(-400)}(`) || writesSql(node)) found.isWrite = true
      for (const callee of calleesOf(program, reader, node)) {
        if (!takesTransaction(node, reader)) continue
        found.isWrite ||= callee.writes
        for (const one of callee.late) found.late.add(one)
        for (const one of callee.refusals) found.refusals.add(one)
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(part)
  return found
}

/** Whether a call is given the transaction, or is of a function of this one, which knows it. */
const takesTransaction = (call: ts.CallExpression, { node }: Reader) =>
  call.arguments.some((each) => /\b(tx|db)\b/.test(each.getText())) ||
  (ts.isIdentifier(call.expression) && declares(node, call.expression.text))

const declares = (node: ts.Node, name: string) => new RegExp(`const ${name} =`).test(node.getText())

const writesSql = (node: ts.CallExpression) => /^sql`\s*(insert|update|delete) /.test(node.getText())

/** A function that is being followed, with what was found so far. */
type Way = {
  program: Program
  reader: Reader
  found: Pick<Fn, 'refusals' | 'late'>
  /** The late refusals of calls, by the variable that has the result. */
  resultsOf: Map<string, ReadonlySet<string>>
}

const NOTHING: State = { written: false, results: new Map() }
const WRITTEN: State = { written: true, results: new Map() }

/** Follows a function's statements in every branch. */
function findRefusals(program: Program, reader: Reader): Pick<Fn, 'refusals' | 'late'> {
  const way: Way = {
    program,
    reader,
    found: { refusals: new Set(), late: new Set() },
    resultsOf: new Map(),
  }
  const { body } = reader.node
  if (body && ts.isBlock(body)) followAll(way, body.statements, NOTHING, [])
  else if (body) give(way, body as ts.Expression, NOTHING, [])
  return way.found
}

/** @returns the state after the statements; null where they always return */
function followAll(
  way: Way,
  nodes: readonly ts.Statement[],
  state: State,
  refused: readonly string[],
): State | null {
  let at: State | null = state
  for (const node of nodes) {
    if (at === null) break
    at = follow(way, node, at, refused)
  }
  return at
}

/** @param refused the variables that have a refusal here */
function follow(way: Way, node: ts.Statement, state: State, refused: readonly string[]): State | null {
  if (ts.isBlock(node)) return followAll(way, node.statements, state, refused)
  if (ts.isThrowStatement(node)) return null
  if (ts.isReturnStatement(node)) {
    give(way, node.expression, state, refused)
    return null
  }
  if (ts.isIfStatement(node)) {
    const { met, unmet } = branch(way, node.expression, state)
    const one = follow(way, node.thenStatement, met, [...refused, ...refusedIn(node.expression)])
    const other = node.elseStatement ? follow(way, node.elseStatement, unmet, refused) : unmet
    if (!one || !other) return one ?? other
    return one.written ? WRITTEN : other
  }
  if (ts.isTryStatement(node)) return follow(way, node.tryBlock, state, refused)
  if (ts.isIterationStatement(node, false))
    return follow(way, node.statement, state, refused)?.written ? WRITTEN : state
  const does = writesOf(way.program, way.reader, node)
  const [declared] = ts.isVariableStatement(node) ? node.declarationList.declarations : []
  const name = declared?.name.getText()
  if (name) way.resultsOf.set(name, does.late)
  if (!does.isWrite && !runsReturned(node, way.reader)) return state
  return {
    written: true,
    results: new Map(name ? [[name, { before: state.written, late: does.late }]] : []),
  }
}

/** The states of both ways from a condition. */
function branch(way: Way, condition: ts.Expression, state: State): { met: State; unmet: State } {
  const does = writesOf(way.program, way.reader, condition)
  // `if (!(await insert(tx))) return refuse('taken')`: nothing was inserted.
  if (does.isWrite)
    return {
      met: does.late.size > 0 ? WRITTEN : { written: state.written, results: new Map() },
      unmet: WRITTEN,
    }
  const source = condition.getText()
  const [, name, , other, value] = /^!?(\w+)(\.ok)?$|^(\w+) === (null|'[^']*')$/.exec(source) ?? []
  const result = state.results.get(name ?? other ?? '')
  if (!result) return { met: state, unmet: state }
  const tested = value
    ? [value]
    : source.endsWith('.ok')
      ? ['refuse']
      : ['null', 'false', 'undefined', 'refuse']
  const refused = {
    written: result.before || tested.some((one) => result.late.has(one)),
    results: new Map(),
  }
  return source.startsWith('!') || value ? { met: refused, unmet: WRITTEN } : { met: WRITTEN, unmet: refused }
}

/** Notes the refusals that a returned value may be. */
function give(way: Way, value: ts.Expression | undefined, state: State, refused: readonly string[]): void {
  const expression = value && bare(value)
  if (!expression) return
  if (ts.isConditionalExpression(expression)) {
    const { condition } = expression
    const { met, unmet } = branch(way, condition, state)
    give(way, expression.whenTrue, met, [...refused, ...refusedIn(condition)])
    const [, tested] = /^(\w+)\.ok$/.exec(condition.getText()) ?? []
    give(way, expression.whenFalse, unmet, tested ? [...refused, tested] : refused)
    return
  }
  const text = expression.getText()
  if (/^(refuse\(|\{\s*(\.\.\.refuse\(|ok: false))/.test(text)) note(way, 'refuse', state)
  else if (/^(null|false|undefined|'[^']*')$/.test(text)) note(way, text, state)
  else if (ts.isIdentifier(expression) && refused.includes(text)) note(way, 'refuse', state)
  else if (ts.isIdentifier(expression))
    for (const one of way.resultsOf.get(text) ?? []) note(way, one, WRITTEN)
  else if (ts.isCallExpression(expression)) {
    const does = writesOf(way.program, way.reader, expression)
    for (const one of does.refusals) note(way, one, state)
    for (const one of does.late) note(way, one, WRITTEN)
  }
}

function note({ found }: Way, refusal: string, state: State): void {
  found.refusals.add(refusal)
  if (state.written) found.late.add(refusal)
}

/** `await takeBack()`: a function that another call returned, which is taken to write. */
function runsReturned(node: ts.Statement, reader: Reader): boolean {
  const [, text] = /^await (\w+)\(\w*\);?$/.exec(node.getText()) ?? []
  if (!text || reader.file.own.has(text) || reader.file.imported.has(text)) return false
  return (
    declares(reader.node, text) ||
    new RegExp(`const \\{[^}]*\\b${text}\\b[^}]*\\} =`).test(reader.node.getText())
  )
}

/** The results that a condition says are refusals: `!moved.ok`. */
const refusedIn = (condition: ts.Expression): string[] =>
  [...condition.getText().matchAll(/!(\w+)\.ok\b/g)].map(([, name]) => name ?? '')

function bare(expression: ts.Expression): ts.Expression {
  if (ts.isAwaitExpression(expression) || ts.isParenthesizedExpression(expression))
    return bare(expression.expression)
  if (ts.isAsExpression(expression) || ts.isSatisfiesExpression(expression))
    return bare(expression.expression)
  return expression
}

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  ts.forEachChild(node, (child) => walk(child, visit))
}

function nameAround(node: ts.Node): string {
  for (let at: ts.Node | undefined = node; at; at = at.parent) {
    const [name] = namedFunction(at)
    if (name) return name
  }
  return ''
}
