/**
 * Finds the commands whose transaction writes before it refuses. Their writes are rolled back
 * (app/adapters/database/transactions.server.ts), and each has a test that nothing is left of them.
 */
import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'

const WRITES = /\.(insertInto|updateTable|deleteFrom)\(|sql`\s*(insert|update|delete) /

type Fn = { writes: boolean; calls: Set<string> }

/**
 * @param files the sources to read
 * @returns the names of the functions around such transactions, in order
 */
export function commandsThatWriteBeforeRefusing(
  files: readonly string[] = globSync('app/**/*.server.ts', {
    exclude: (name) => name.endsWith('.test.ts'),
  }).sort(),
): string[] {
  const sources = files.map((file) =>
    ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true),
  )
  const writing = writingFunctions(sources)
  const found = new Set<string>()
  for (const source of sources) {
    const visit = (node: ts.Node): void => {
      const work = workOfTransaction(node)
      if (work && refusesAfterWrite(work, writing)) found.add(nameAround(node))
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  return [...found].sort()
}

/** The function that a transaction runs; null for any other node. */
function workOfTransaction(node: ts.Node): ts.Expression | null {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return null
  const { name, expression } = node.expression
  if (name.text !== 'execute' || !/\btransaction\(\)/.test(expression.getText())) return null
  const [work] = node.arguments
  return work && ts.isArrowFunction(work) ? work : null
}

/** The names of the functions that write to the database, themselves or by what they call. */
function writingFunctions(sources: readonly ts.SourceFile[]): ReadonlySet<string> {
  const all = new Map<string, Fn>()
  for (const source of sources) {
    const visit = (node: ts.Node): void => {
      const name = functionName(node)
      if (name) {
        const one = all.get(name) ?? { writes: false, calls: new Set() }
        one.writes ||= WRITES.test(node.getText())
        for (const call of callsWith(node, /\btx\b/)) one.calls.add(call)
        all.set(name, one)
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  for (let grew = true; grew; ) {
    grew = false
    for (const one of all.values()) {
      if (one.writes || ![...one.calls].some((call) => all.get(call)?.writes)) continue
      one.writes = true
      grew = true
    }
  }
  return new Set([...all].filter(([, { writes }]) => writes).map(([name]) => name))
}

function functionName(node: ts.Node): string | null {
  if (ts.isFunctionDeclaration(node)) return node.name?.text ?? null
  const isFunction =
    ts.isVariableDeclaration(node) &&
    node.initializer &&
    (ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer))
  return isFunction && ts.isIdentifier(node.name) ? node.name.text : null
}

/** The names of the functions that are called with a matching argument. */
function callsWith(node: ts.Node, argument: RegExp): string[] {
  const found: string[] = []
  const visit = (one: ts.Node): void => {
    if (ts.isCallExpression(one) && one.arguments.some((each) => argument.test(each.getText())))
      found.push(one.expression.getText().split('.').at(-1) ?? '')
    ts.forEachChild(one, visit)
  }
  visit(node)
  return found
}

/** Whether a refusal is returned after a write, in the order of the text. */
function refusesAfterWrite(work: ts.Expression, writing: ReadonlySet<string>): boolean {
  let hasWritten = false
  let isFound = false
  const visit = (node: ts.Node): void => {
    if (node !== work && ts.isFunctionLike(node)) return
    // What a condition writes was not written when it refuses: `if (!(await insert(tx))) return refuse('taken')`.
    if (ts.isReturnStatement(node)) {
      if (hasWritten && isRefusal(node)) isFound = true
      return
    }
    ts.forEachChild(node, visit)
    if (!ts.isExpressionStatement(node) && !ts.isVariableStatement(node)) return
    if (WRITES.test(node.getText()) || callsWith(node, /\btx\b/).some((call) => writing.has(call)))
      hasWritten = true
  }
  visit(work)
  return isFound
}

/** `refuse(…)`, `{ ok: false, … }`, or a result that was found to be one: `if (!moved.ok) return moved`. */
function isRefusal({ expression, parent }: ts.ReturnStatement): boolean {
  const text = expression?.getText() ?? ''
  if (/^(refuse\(|\{ ok: false)/.test(text)) return true
  const around = ts.isIfStatement(parent) ? parent : parent.parent
  return text !== '' && ts.isIfStatement(around) && around.expression.getText().includes(`!${text}.ok`)
}

function nameAround(node: ts.Node): string {
  for (let at: ts.Node | undefined = node; at; at = at.parent) {
    const name = functionName(at) ?? (ts.isMethodDeclaration(at) ? at.name.getText() : null)
    if (name) return name
  }
  return ''
}
