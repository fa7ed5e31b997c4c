/**
 * Reports every path of the product that is written as text in app/ or server/. It belongs in `href()`, so that the
 * compiler checks it against the routes. Tests use literal addresses, since those are the specification's.
 */
import { readdirSync, readFileSync } from 'node:fs'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import ts from 'typescript'
import routes from '../app/routes.ts'

/** Properties and calls where a lone '/' is the home page. Elsewhere it is a separator. */
const ADDRESS_NAMES = new Set(['to', 'href', 'action', 'path', 'link'])
const ADDRESS_CALLS = new Set(['redirect', 'navigate', 'ownPath', 'withNext', 'fetch'])

/** The paths of all routes, as '/dashboard/list-business/:id/edit'. */
function pathsOf(entries: readonly RouteConfigEntry[], parent: string): string[] {
  return entries.flatMap((entry) => {
    const path = entry.path ? `${parent}/${entry.path}` : parent
    return [...(entry.path ? [path] : []), ...pathsOf(entry.children ?? [], path)]
  })
}

/** Whether a text begins like a route, with at least one literal segment of that route. */
function isOfRoute(text: string, patterns: readonly string[]): boolean {
  const segments = text
    .replace(/[?#].*/s, '')
    .split('/')
    .slice(1)
    .filter(Boolean)
  return patterns.some((pattern) => {
    const parts = pattern.split('/').slice(1)
    const fits = segments.every((segment, at) => parts[at] === segment || /^[:*]/.test(parts[at] ?? ''))
    return fits && segments.some((segment, at) => parts[at] === segment && !segment.startsWith(':'))
  })
}

/** The path at the beginning of a regular expression, with the first alternative of '(a|b)'. */
const pathOfPattern = (pattern: string) =>
  /^(\/[\w.-]*)*/.exec(
    pattern
      .replace(/^\/\^?/, '')
      .replaceAll('\\/', '/')
      .replace(/^\/\((\?:)?/, '/'),
  )?.[0]

/**
 * The lines of a source file on which a path is written as text.
 * @param patterns the paths of all routes
 */
export function pathTexts(name: string, text: string, patterns: readonly string[]): number[] {
  const kind = name.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, kind)
  const lines: number[] = []
  const takers = new Set(['href', ...(/\bhref as (\w+)/.exec(text)?.slice(1) ?? [])])
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (isPath(node)) lines.push(source.getLineAndCharacterOfPosition(node.getStart()).line + 1)
    ts.forEachChild(node, visit)
  }
  const isPath = (node: ts.Node): boolean => {
    if (isCallOf(node.parent, takers)) return false
    if (ts.isStringLiteralLike(node) && node.text === '/') return isAddress(node.parent)
    if (ts.isStringLiteralLike(node)) return node.text.startsWith('/') && isOfRoute(node.text, patterns)
    if (ts.isRegularExpressionLiteral(node)) {
      const path = pathOfPattern(node.text)
      return path?.startsWith('/') === true && isOfRoute(path, patterns)
    }
    if (!ts.isTemplateExpression(node)) return false
    // In `${origin}/business/…`, the path follows the origin.
    const beginning = node.head.text || (node.templateSpans[0]?.literal.text ?? '')
    return beginning.startsWith('/') && isOfRoute(beginning, patterns)
  }
  visit(source)
  return lines
}

function isCallOf(node: ts.Node | undefined, names: ReadonlySet<string>): boolean {
  return node !== undefined && ts.isCallExpression(node) && names.has(node.expression.getText())
}

function isAddress(parent: ts.Node): boolean {
  if (ts.isJsxAttribute(parent) || ts.isPropertyAssignment(parent))
    return ADDRESS_NAMES.has(parent.name.getText())
  return isCallOf(parent, ADDRESS_CALLS)
}

if (import.meta.main) {
  const patterns = pathsOf(routes, '')
  const files = ['app', 'server']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
    )
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && file !== 'app/routes.ts')
  const found = files.flatMap((file) =>
    pathTexts(file, readFileSync(file, 'utf8'), patterns).map((line) => `${file}:${line}`),
  )
  for (const place of found)
    process.stdout.write(`${place} writes a path as text. Give it to href() of React Router.\n`)
  // A check that finds no files would always pass.
  process.exit(found.length > 0 || files.length < 300 || patterns.length < 70 ? 1 : 0)
}
