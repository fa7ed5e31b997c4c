/**
 * Reports every product of a price and a quantity outside features/pricing, whose `priceOf` and `lineCents` make each total of the
 * product (docs/decisions/0096-one-price-engine.md). A share of an amount, such as a deposit's, is no such product. SQL isn't read:
 * tests/totals.test.ts compares it with the rules.
 */
import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'

const ENGINE = 'app/features/pricing/'
const MONEY = /cents|price|dollars/i
const COUNT = /quantity|guests|people|persons|attendees|hours/i
/** Allowed factors: of an amount a share, and of both a constant, such as the cents of a dollar or the minutes of an hour. */
const SHARE = /basis|percent|share|rate|mille/i
const CONSTANT = /^[A-Z][A-Z0-9_]*$/

/** The lines of a source file on which a price is multiplied by a quantity. */
export function priceProducts(name: string, text: string): number[] {
  const kind = name.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, kind)
  const found: number[] = []
  const visit = (node: ts.Node): void => {
    if (isProduct(node)) found.push(source.getLineAndCharacterOfPosition(node.getStart()).line + 1)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function isProduct(node: ts.Node): boolean {
  if (!ts.isBinaryExpression(node)) return false
  const { kind } = node.operatorToken
  if (kind !== ts.SyntaxKind.AsteriskToken && kind !== ts.SyntaxKind.AsteriskEqualsToken) return false
  const factors = [node.left, node.right]
  return (
    factors.some(
      (factor, index) => !isConstant(factor) && MONEY.test(nameOf(factor)) && !isShare(factors[1 - index]),
    ) ||
    factors.some(
      (factor, index) => !isConstant(factor) && COUNT.test(nameOf(factor)) && !isConstant(factors[1 - index]),
    )
  )
}

/** The last name of a factor, which says what it is: 'priceCents' of `offer.priceCents`, of `Number(x.priceCents)` and of `priceCents ?? 0`. */
function nameOf(node: ts.Expression): string {
  if (ts.isIdentifier(node)) return node.text
  if (ts.isPropertyAccessExpression(node)) return node.name.text
  if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) || ts.isAsExpression(node))
    return nameOf(node.expression)
  if (ts.isCallExpression(node)) {
    const [only] = node.arguments
    const callee = nameOf(node.expression)
    return /^(Number|BigInt)$/.test(callee) && only ? nameOf(only) : callee
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
    return nameOf(node.left)
  return ''
}

function isShare(node: ts.Expression | undefined): boolean {
  return isConstant(node) || (node !== undefined && SHARE.test(nameOf(node)))
}

function isConstant(node: ts.Expression | undefined): boolean {
  return node !== undefined && (isNumber(node) || CONSTANT.test(nameOf(node)))
}

function isNumber(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node)) return isNumber(node.expression)
  if (ts.isConditionalExpression(node)) return isNumber(node.whenTrue) && isNumber(node.whenFalse)
  return ts.isNumericLiteral(node)
}

if (import.meta.main) {
  const files = ['app', 'server', 'content']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
    )
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.startsWith(ENGINE))
  const found = files.flatMap((file) =>
    priceProducts(file, readFileSync(file, 'utf8')).map(
      (line) => `${file}:${line} multiplies a price: use priceOf() or lineCents() of ${ENGINE}`,
    ),
  )
  for (const place of found) process.stdout.write(`${place}\n`)
  // A check that finds no files would always pass.
  process.exit(found.length > 0 || files.length < 300 ? 1 : 0)
}
