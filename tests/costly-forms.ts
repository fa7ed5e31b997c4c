/**
 * Reports three forms that a stranger's text turns into minutes: a list or object that is copied for each entry of another
 * (`list = [...list, x]` in a loop, `{ ...all, x }` in a reduce), which takes the square of the number; and a text as
 * the second argument of `replace`, where '$`' and '$&' insert other parts of the text. A function inserts what it
 * returns. The third is a compatibility form (NFKC, NFKD) without a bound of its length.
 */
import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'

const COPIED = 'copies what it has gathered for each entry: push to it, or set it'
const GROWN = 'can make a text 18 times as long: use normalForm() of app/shared/normal-form.ts'
const REPLACED = 'replaces by a text, in which $& and $` have a meaning: pass a function'

/** The lines of a source file with one of the forms, and which. */
export function costlyForms(name: string, text: string): { line: number; problem: string }[] {
  const kind = name.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, kind)
  const found: { line: number; problem: string }[] = []
  const visit = (node: ts.Node): void => {
    const problem = isCopiedAccumulator(node)
      ? COPIED
      : isTextReplacement(node)
        ? REPLACED
        : isNormalised(node)
          ? GROWN
          : null
    if (problem) found.push({ line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, problem })
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** `[...all, x]` or `{ ...all, x }` that becomes `all` again in a loop, or is what a reduce returns. */
function isCopiedAccumulator(node: ts.Node): boolean {
  if (!ts.isSpreadElement(node) && !ts.isSpreadAssignment(node)) return false
  const spread = bare(node.expression).replace(/ \?\? (\[\]|\{\})$/, '')
  for (let at: ts.Node = node.parent; at.parent; at = at.parent) {
    const { parent } = at
    if (isGathering(at, spread)) return isRepeated(at)
    if (ts.isArrowFunction(parent) && parent.body === at && isReduceOf(parent, spread)) return true
    if (ts.isReturnStatement(parent)) return isReduceOf(functionAround(parent), spread)
    if (ts.isStatement(at)) return false
  }
  return false
}

const bare = (node: ts.Expression): string =>
  ts.isParenthesizedExpression(node) ? bare(node.expression) : node.getText()

/** `all = …`, or `all.set(key, …)` where the copy is of `all.get(key)`. */
function isGathering(node: ts.Node, spread: string): boolean {
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken)
    return node.left.getText() === spread
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false
  const [key] = node.arguments
  const list = node.expression.expression.getText()
  return node.expression.name.text === 'set' && spread === `${list}.get(${key?.getText()})`
}

/** Whether a node runs for each entry of something: in a loop, or in a function that is passed to forEach or map. */
function isRepeated(node: ts.Node): boolean {
  for (let at = node; at.parent; at = at.parent) {
    if (ts.isIterationStatement(at, false)) return true
    if (!ts.isFunctionLike(at)) continue
    return (
      ts.isCallExpression(at.parent) &&
      ts.isPropertyAccessExpression(at.parent.expression) &&
      /^(forEach|map|flatMap|filter)$/.test(at.parent.expression.name.text)
    )
  }
  return false
}

function functionAround(node: ts.Node): ts.Node | null {
  for (let at = node.parent; at; at = at.parent) if (ts.isFunctionLike(at)) return at
  return null
}

function isReduceOf(node: ts.Node | null, spread: string): boolean {
  if (!node || !(ts.isArrowFunction(node) || ts.isFunctionExpression(node))) return false
  const { parent } = node
  return (
    ts.isCallExpression(parent) &&
    ts.isPropertyAccessExpression(parent.expression) &&
    /^reduce(Right)?$/.test(parent.expression.name.text) &&
    node.parameters[0]?.name.getText() === spread
  )
}

/** A second argument of replace that is neither a function nor a text of the program's own. */
function isTextReplacement(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false
  if (!/^replace(All)?$/.test(node.expression.name.text)) return false
  const [, by] = node.arguments
  return node.arguments.length === 2 && by !== undefined && !isHarmless(by, node.getSourceFile())
}

function isHarmless(by: ts.Expression, source: ts.SourceFile): boolean {
  if (ts.isStringLiteralLike(by) || ts.isArrowFunction(by) || ts.isFunctionExpression(by)) return true
  if (ts.isConditionalExpression(by))
    return isHarmless(by.whenTrue, source) && isHarmless(by.whenFalse, source)
  if (!ts.isIdentifier(by)) return false
  // A constant or a function of the same file.
  return source.statements.some((statement) => {
    if (ts.isFunctionDeclaration(statement)) return statement.name?.text === by.text
    if (!ts.isVariableStatement(statement)) return false
    return statement.declarationList.declarations.some(
      ({ name, initializer }) => name.getText() === by.text && initializer && isHarmless(initializer, source),
    )
  })
}

function isNormalised(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false
  const [form] = node.arguments
  return (
    node.expression.name.text === 'normalize' &&
    form !== undefined &&
    !/^['"]NF[CD]['"]$/.test(form.getText())
  )
}

if (import.meta.main) {
  const files = ['app', 'server']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
    )
    .filter(
      (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.endsWith('/normal-form.ts'),
    )
  const found = files.flatMap((file) =>
    costlyForms(file, readFileSync(file, 'utf8')).map(({ line, problem }) => `${file}:${line} ${problem}`),
  )
  for (const place of found) process.stdout.write(`${place}\n`)
  // A check that finds no files would always pass.
  process.exit(found.length > 0 || files.length < 300 ? 1 : 0)
}
