/**
 * Reports every lock of the product that has no place in the order of locks (app/shared/lock-order.ts). What a
 * transaction locks in which order is checked while tests run (tests/lock-watch.ts).
 */
import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { LOCK_ORDER, type RankedLock } from '../app/shared/lock-order.ts'

const ORDER: readonly RankedLock[] = LOCK_ORDER
const RANKED = new Set(ORDER.flatMap(({ name, covers = [] }) => [name, ...covers]))

const ROW_LOCKS: readonly string[] = ['forUpdate', 'forNoKeyUpdate', 'forShare', 'forKeyShare']
const ROW_LOCK_IN_SQL = /\bfor\s+(?:no\s+key\s+update|update|share|key\s+share)\b(?:\s+of\s+(\w+))?/gi
const ADVISORY = /\bpg_(?:try_)?advisory|\block_ledger\(/
/** The function that takes an advisory lock by its name, those of the ledger, and the lock of migrations, which no transaction takes. */
const MAY_LOCK_BY_NAME: readonly string[] = [
  'app/shared/locks.server.ts',
  'app/adapters/database/postgres.server.ts',
  'app/features/ledger/commands.server.ts',
]

/** @returns one sentence for each lock of a source file that has no place, with its line */
export function unrankedLocks(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const report = (node: ts.Node, problem: string) =>
    found.push(`${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${problem}`)
  const visit = (node: ts.Node): void => {
    if (isRowLock(node)) {
      const table = tableOf(node)
      if (table === null) report(node, 'locks rows of a table that its query does not show: pass its name.')
      else if (!RANKED.has(table)) report(node, `locks rows of ${table}, which has no place in LOCK_ORDER.`)
    }
    if (isText(node)) {
      for (const [, table = null] of node.text.matchAll(ROW_LOCK_IN_SQL))
        if (table === null) report(node, 'locks rows without `of` and their table.')
        else if (!RANKED.has(table)) report(node, `locks rows of ${table}, which has no place in LOCK_ORDER.`)
      if (ADVISORY.test(node.text) && !MAY_LOCK_BY_NAME.includes(path))
        report(node, 'takes an advisory lock without `lockByName`.')
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const isRowLock = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  ROW_LOCKS.includes(node.expression.name.text)

/** The table that a row lock names, else the table that its chain of calls selects from. */
function tableOf(lock: ts.CallExpression): string | null {
  const [named] = lock.arguments
  if (named) return ts.isStringLiteral(named) ? named.text : null
  for (let at: ts.Expression = lock; ts.isCallExpression(at); ) {
    if (!ts.isPropertyAccessExpression(at.expression)) return null
    const [table] = at.arguments
    if (at.expression.name.text === 'selectFrom' && table && ts.isStringLiteral(table))
      return table.text.split(' ')[0] ?? null
    at = at.expression.expression
  }
  return null
}

const isText = (node: ts.Node): node is ts.Node & { text: string } =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateHead(node) ||
  ts.isTemplateMiddle(node) ||
  ts.isTemplateTail(node)

if (import.meta.main) {
  const paths = globSync('app/**/*.server.ts').map((path) => path.replaceAll('\\', '/'))
  const found = paths.flatMap((path) => unrankedLocks(path, readFileSync(path, 'utf8')))
  for (const problem of found) process.stdout.write(`${problem}\n`)
  // A check that finds no files would always pass.
  process.exit(found.length > 0 || paths.length < 100 ? 1 : 0)
}
