/**
 * Checks SQL against the order of features: a file may name the tables of its own feature and of those before it. It
 * covers raw SQL too, which the compiler does not type. docs/architecture.md has the reasons.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

type SourceFile = { path: string; text: string }

/** Both sign-in services store into these tables, and every feature may join them. So they precede all features. */
const SHARED_ADAPTER = 'app/adapters/accounts'

/** Kysely's methods that take a table name. */
const TABLE_CALL =
  /^(selectFrom|insertInto|replaceInto|updateTable|deleteFrom|mergeInto|from|using|table|(inner|left|right|full|cross)Join(Lateral)?)$/

/** A table name alone, with an alias or with a column: 'bookings', 'bookings as b', 'bookings.status', 'bookings.*'. */
const NAME = /^(\w+)(?: as \w+|\.[\w*]+)?$/
/** A table name after an SQL keyword, in a text that is not marked as SQL. */
const STATEMENT = /\b(?:from|join|into|update|table|using)\s+(?:only\s+)?"?(\w+)/gi
const WORD = /\w+/g

/**
 * Finds every line where a file names a table of a later feature, or a table that it may not name at all.
 * @param files the product's sources, without tests. The `tables.server.ts` files declare each table's owner
 * @param featureOrder the features, each after the ones that it may use
 * @returns one sentence each, with the file, the line, the table and its owner
 */
export function tableViolations(files: readonly SourceFile[], featureOrder: readonly string[]): string[] {
  const sources = files.map(({ path, text }) => ({
    path,
    source: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true),
  }))
  const owners = new Map(
    sources.flatMap(({ path, source }) => declaredTables(source).map((table) => [table, roomOf(path)])),
  )
  const order = [SHARED_ADAPTER, ...featureOrder.map((feature) => `app/features/${feature}`)]
  return sources.flatMap(({ path, source }) => {
    const room = roomOf(path)
    const place = order.indexOf(room)
    const isAllowed = (owner: string) =>
      owner === room || (order.includes(owner) && order.indexOf(owner) < place)
    return namedTables(source, path).flatMap(({ table, line }) => {
      const owner = owners.get(table)
      return owner === undefined || isAllowed(owner)
        ? []
        : `${path}:${line} names the table ${table}, which belongs to ${owner}.`
    })
  })
}

/** The feature or the adapter of a file, else its folder. */
function roomOf(path: string): string {
  return /^app\/(?:features|adapters)\/[^/]+/.exec(path)?.[0] ?? path.slice(0, path.lastIndexOf('/'))
}

/** The tables that a file adds to the database's `Tables`. */
export function declaredTables(source: ts.SourceFile): string[] {
  const tables: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isInterfaceDeclaration(node) && node.name.text === 'Tables')
      tables.push(...node.members.flatMap((member) => member.name?.getText(source) ?? []))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return tables
}

/** Every word of a file that can be a table name. */
function namedTables(source: ts.SourceFile, path: string): { table: string; line: number }[] {
  const found = new Map<string, { table: string; line: number }>()
  const isServerFile = /\.server\.tsx?$/.test(path)
  const isRoom = /^app\/(features|adapters)\//.test(path)
  const add = (table: string | undefined, node: ts.Node) => {
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
    if (table) found.set(`${table} ${line}`, { table, line })
  }
  const addText = (node: ts.Node & { text: string }, isSql: boolean, isTable: boolean) => {
    if (isSql) for (const [word] of node.text.matchAll(WORD)) add(word, node)
    // In server files of features and adapters, a name counts anywhere: in a list, a constant or a type.
    if (isTable || (isServerFile && isRoom)) add(NAME.exec(node.text)?.[1], node)
    if (isServerFile) for (const [, name] of node.text.matchAll(STATEMENT)) add(name, node)
  }
  const visit = (node: ts.Node, isSql: boolean, isTable: boolean): void => {
    if (isText(node)) addText(node, isSql, isTable)
    ts.forEachChild(node, (child) => {
      if (ts.isTaggedTemplateExpression(node)) return visit(child, isSqlTag(node.tag), false)
      if (ts.isTemplateExpression(node)) return visit(child, isSql, false)
      if (ts.isCallExpression(node)) {
        const name = ts.isPropertyAccessExpression(node.expression) ? node.expression.name.text : ''
        const isRaw = isSqlTag(node.expression) && name === 'raw'
        return visit(child, isRaw, TABLE_CALL.test(name))
      }
      // Expressions inside a statement are visited separately: their texts are not SQL.
      if (ts.isTemplateSpan(node)) return visit(child, isText(child) && isSql, false)
      return visit(child, false, isTable && ts.isArrayLiteralExpression(node))
    })
  }
  visit(source, false, false)
  return [...found.values()]
}

function isText(node: ts.Node): node is ts.Node & { text: string } {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddle(node) ||
    ts.isTemplateTail(node)
  )
}

/** Whether a node is `sql` or one of its functions, such as `sql.raw`. */
function isSqlTag(node: ts.Node): boolean {
  return ts.isIdentifier(node)
    ? node.text === 'sql'
    : ts.isPropertyAccessExpression(node) && isSqlTag(node.expression)
}

if (import.meta.main) {
  const files = ['app', 'server']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    )
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
  const order: string[] = JSON.parse(readFileSync('feature-order.json', 'utf8'))
  const violations = tableViolations(files, order)
  for (const violation of violations) process.stdout.write(`${violation}\n`)
  const owned = new Set(
    files.flatMap(({ path, text }) =>
      declaredTables(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)),
    ),
  )
  const scripts = readdirSync('database/migrations').map((file) =>
    readFileSync(join('database/migrations', file), 'utf8'),
  )
  const namesAfter = (words: RegExp) =>
    scripts.flatMap((script) => [...script.matchAll(words)].flatMap(([, names]) => (names ?? '').split(', ')))
  const dropped = namesAfter(/drop table (\w+(?:, \w+)*)/gi)
  const made = namesAfter(/create table (\w+)/gi).filter((table) => !dropped.includes(table))
  const unowned = made.filter((table) => !owned.has(table))
  for (const table of unowned) process.stdout.write(`The table ${table} stands in no tables.server.ts.\n`)
  // A check that finds no tables would always pass.
  process.exit(violations.length + unowned.length > 0 || made.length < 30 ? 1 : 0)
}
