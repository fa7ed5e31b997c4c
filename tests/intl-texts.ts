/**
 * Reports code that reads the text of an Intl formatter by position or compares it, and code of the product that
 * formats a date elsewhere than in shared/dates.ts. These texts differ between versions of ICU, so between browsers and
 * the server: a date's order (ICU 72 and 73 write 'en-CA' as month/day/year), its commas, its spaces. `formatToParts`
 * names each part.
 */
import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'

const DATES = 'app/shared/dates.ts'
const FORMATS = new Set([
  'format',
  'formatRange',
  'toLocaleString',
  'toLocaleDateString',
  'toLocaleTimeString',
])
/** The methods of a text that don't look into it. */
const WHOLE = new Set(['length', 'concat', 'normalize', 'toString', 'padStart', 'padEnd', 'trim'])
/** Functions that look into a text given to them. */
const READERS = new Set([
  'Number',
  'parseInt',
  'parseFloat',
  'parse',
  'Date',
  'exec',
  'test',
  'from',
  'indexOf',
])
const COMPARISONS = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
])

const parse = (name: string, text: string) =>
  ts.createSourceFile(
    name,
    text,
    ts.ScriptTarget.Latest,
    true,
    name.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  )

/** The name that a call ends with: 'format' of `dollars.format(cents)`. */
function nameOfCall(node: ts.Node | undefined): string | null {
  if (!node || !(ts.isCallExpression(node) || ts.isNewExpression(node))) return null
  const { expression } = node
  if (ts.isPropertyAccessExpression(expression)) return expression.name.text
  return ts.isIdentifier(expression) ? expression.text : null
}

const isFormat = (node: ts.Node) =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  FORMATS.has(node.expression.name.text)

/** The names of a file's functions that return a formatter's text as it is, such as `formatMoney`. */
export function textFunctions(name: string, text: string): string[] {
  const names: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionDeclaration(node) && node.name && returnsFormat(node.body)) names.push(node.name.text)
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      if (ts.isArrowFunction(node.initializer) && returnsFormat(node.initializer.body))
        names.push(node.name.text)
    ts.forEachChild(node, visit)
  }
  visit(parse(name, text))
  return names
}

function returnsFormat(body: ts.Node | undefined): boolean {
  if (!body) return false
  if (ts.isParenthesizedExpression(body)) return returnsFormat(body.expression)
  if (ts.isConditionalExpression(body)) return returnsFormat(body.whenTrue) || returnsFormat(body.whenFalse)
  if (ts.isReturnStatement(body)) return returnsFormat(body.expression)
  if (ts.isBlock(body) || ts.isIfStatement(body))
    return ts.forEachChild(body, (child) => returnsFormat(child) || undefined) === true
  return isFormat(body)
}

/**
 * The lines of a source file that read a formatter's text by position, compare it, or format a date.
 * @param functions names of functions that return such a text
 */
export function intlTexts(name: string, text: string, functions: ReadonlySet<string>): number[] {
  const source = parse(name, text)
  const isProduct = name.startsWith('app/') && name !== DATES && !/\.test\.tsx?$/.test(name)
  const found = new Set<number>()
  /** The variables that hold such a text. */
  const holders = new Set<string>()
  const isText = (node: ts.Node) =>
    isFormat(node) ||
    (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && functions.has(node.expression.text))
  const visit = (node: ts.Node): void => {
    const isHolder = ts.isIdentifier(node) && holders.has(node.text)
    if ((isText(node) || isHolder) && isRead(node)) found.add(lineOf(source, node))
    if (isText(node) && ts.isVariableDeclaration(node.parent))
      if (ts.isIdentifier(node.parent.name)) holders.add(node.parent.name.text)
    if (isProduct && formatsDate(node)) found.add(lineOf(source, node))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return [...found]
}

const lineOf = (source: ts.SourceFile, node: ts.Node) =>
  source.getLineAndCharacterOfPosition(node.getStart()).line + 1

/** Whether the code around a text looks into it. */
function isRead(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isParenthesizedExpression(parent) || ts.isNonNullExpression(parent)) return isRead(parent)
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node && !WHOLE.has(parent.name.text)
  if (ts.isElementAccessExpression(parent)) return parent.expression === node
  if (ts.isSpreadElement(parent)) return true
  if (ts.isVariableDeclaration(parent)) return ts.isArrayBindingPattern(parent.name)
  if (ts.isBinaryExpression(parent)) return COMPARISONS.has(parent.operatorToken.kind)
  if (ts.isCaseClause(parent) || ts.isSwitchStatement(parent)) return true
  const isGiven =
    (ts.isCallExpression(parent) || ts.isNewExpression(parent)) &&
    parent.arguments?.some((each) => each === node)
  return isGiven === true && READERS.has(nameOfCall(parent) ?? '')
}

/** Whether a formatter of dates is made, for more than the name of its zone. */
function formatsDate(node: ts.Node): boolean {
  const name = nameOfCall(node)
  if (name === 'toLocaleDateString' || name === 'toLocaleTimeString') return true
  if (name === 'toLocaleString') return /\btimeZone\b|\bdateStyle\b|new Date\(/.test(node.getText())
  if (name !== 'DateTimeFormat') return false
  return !(ts.isPropertyAccessExpression(node.parent) && node.parent.name.text === 'resolvedOptions')
}

if (import.meta.main) {
  const files = ['app', 'server', 'database', 'content', 'tests', 'bench']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
    )
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('/node_modules/'))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
  const functions = new Set(files.flatMap(({ file, text }) => textFunctions(file, text)))
  const found = files.flatMap(({ file, text }) =>
    intlTexts(file, text, functions).map((line) => `${file}:${line}`),
  )
  for (const place of found)
    process.stdout.write(
      `${place} reads or compares a text of Intl, or formats a date. Use formatToParts or ${DATES}.\n`,
    )
  // A check that finds no files, or not even formatMoney, would always pass.
  process.exit(found.length > 0 || files.length < 500 || !functions.has('formatMoney') ? 1 : 0)
}
