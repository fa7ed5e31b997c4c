/**
 * Reports every function of the product that is longer than a reader takes in at once. Biome's own rule counts statements, so
 * a component's markup hardly counts there.
 */
import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'

const MAX_LINES = 100
const SOURCES = '{app,server,database}/**/*.{ts,tsx}'
/** Tests, and drawings, which are lists of shapes. */
const LEFT_OUT = /\.test\.tsx?$/

/** The functions of a source file with more than 100 lines, from the first line of the signature to the last brace. */
export function longFunctions(path: string, source: string): { line: number; name: string; lines: number }[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true)
  const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line
  const found: { line: number; name: string; lines: number }[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const start = lineOf(node.getStart())
      const lines = lineOf(node.end) - start + 1
      if (lines > MAX_LINES) found.push({ line: start + 1, name: nameOf(node), lines })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

function nameOf(node: ts.SignatureDeclaration): string {
  const named = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : null)
  return named?.getText() ?? 'a function without a name'
}

if (import.meta.main) {
  const paths = globSync(SOURCES)
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !LEFT_OUT.test(path))
  const found = paths.flatMap((path) =>
    longFunctions(path, readFileSync(path, 'utf8')).map(
      ({ line, name, lines }) => `${path}:${line} ${name} has ${lines} lines: the limit is ${MAX_LINES}.`,
    ),
  )
  for (const problem of found) process.stdout.write(`${problem}\n`)
  // A check that finds no files would always pass.
  process.exit(found.length > 0 || paths.length < 300 ? 1 : 0)
}
