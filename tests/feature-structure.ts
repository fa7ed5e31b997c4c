/**
 * Reports every source file of the product whose name doesn't fit its folder, every route module that contains more
 * than a route should, and all code that takes every service. docs/architecture.md explains the three.
 */
import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'

const NAME = '[a-z0-9]+(-[a-z0-9]+)*'
const TOPIC = `(${NAME}-)?`
/** The rooms of a feature with many files, by what people do there. Each has the same names of files as a feature. */
const ROOM = '((checkout|decisions|changes|cancellation|list|insights)/)?'
const AREAS = 'account|api|businesses|checkout|dashboard|operations|sandbox|site'

/** Patterns of paths below `app/`. A file belongs if one of them matches its whole path. */
const PLACES = [
  // The files of a feature. A test is named after a file beside it, or after the subject of several files.
  `features/${NAME}/${ROOM}${TOPIC}(rules|schema|messages|limits|mails)\\.ts`,
  `features/${NAME}/${ROOM}${TOPIC}(commands|queries|jobs|tables|deps|providers|pdf)\\.server\\.ts`,
  `features/${NAME}/${ROOM}${NAME}\\.test\\.ts`,
  `features/${NAME}/${ROOM}screens/${NAME}-(screen|sections)\\.(tsx|css)`,
  `features/${NAME}/${ROOM}components/(?!.*-(screen|sections)\\.)${NAME}(\\.tsx|\\.css|\\.test\\.ts)`,
  `features/${NAME}/${ROOM}browser/(use-${NAME}|${NAME}-(client|draft|handoff))(\\.test)?\\.ts`,
  // The layers around the features.
  `ui/${NAME}(\\.tsx|\\.css|\\.svg|(\\.test)?\\.ts)`,
  `shared/${NAME}(\\.server|\\.test)?\\.ts`,
  `shell/${NAME}(\\.tsx|\\.css|(\\.test)?\\.ts)`,
  `routes/((${AREAS})/)?${NAME}(\\.server|\\.test)?\\.tsx?`,
].map((pattern) => new RegExp(`^${pattern}$`))

/** Names that don't describe a file's content. */
const EMPTY_NAME = /(^|[/-])(utils?|helpers?|common|misc|index)\.[a-z.]+$/

const CHECKED = /^(features|ui|shared|shell|routes)\//

/**
 * The files that don't belong where they are.
 * @param paths below `app/`, with forward slashes
 */
export function misplacedFiles(paths: readonly string[]): string[] {
  const all = new Set(paths)
  return paths.filter(
    (path) =>
      CHECKED.test(path) &&
      (EMPTY_NAME.test(path) || !PLACES.some((place) => place.test(path)) || !hasItsSubject(path, all)),
  )
}

/** Whether a test in `components/` or `browser/`, or a route's sections, stand beside the file they are named after. */
function hasItsSubject(path: string, all: ReadonlySet<string>): boolean {
  const route = /^(routes\/.+)-sections\.tsx$/.exec(path)?.[1]
  if (route) return all.has(`${route}.tsx`)
  const part = /^(features\/.+\/(components|browser)\/.+)\.test\.ts$/.exec(path)?.[1]
  return !part || all.has(`${part}.tsx`) || all.has(`${part}.ts`)
}

/** Route modules that render a feature's screen, or content that fits into one short module and its sections. */
const THIN_ROUTE = /^routes\/(?!.*\/layout\.tsx$).+\.tsx$/
const FORM_OR_STATE = /<(\w+\.)?[Ff]orm\b|\buse(State|Reducer|Fetcher|SchemaForm|CheckedForm|Form)\(/
/** The limit of a route module's page: its default export and everything after it. */
const MAX_LINES = 100

/**
 * The reason why a part of a route module belongs to a feature's screen, or null.
 * @param path below `app/`, with forward slashes
 */
export function routeProblem(path: string, source: string): string | null {
  if (!THIN_ROUTE.test(path)) return null
  if (FORM_OR_STATE.test(source)) return 'has a form or state'
  const lines = source.trimEnd().split('\n')
  const page = lines.findIndex((line) => line.startsWith('export default '))
  const isLong = page >= 0 && lines.length - page > MAX_LINES
  return isLong ? `draws a page of more than ${MAX_LINES} lines` : null
}

/** The files that make all services, or hand them to a request. */
const MAKES_SERVICES = /^(services\/|services\.server\.ts$|request-context\.server\.ts$)/

/**
 * The lines of a source file that take all services instead of those that they use. A route names its own
 * (`const { db, now } = context.get(servicesContext)`) or passes them straight to a function that declares what it needs
 * (`bookingDeps(context.get(servicesContext))`).
 * @param path below `app/`, with forward slashes
 */
export function wholeServices(path: string, text: string): number[] {
  if (MAKES_SERVICES.test(path) || /\.test\.tsx?$/.test(path) || !/services/i.test(text)) return []
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found: number[] = []
  const visit = (node: ts.Node): void => {
    if ((isServicesOfRequest(node) && !namesServices(node)) || isTypeOfAllServices(node))
      found.push(source.getLineAndCharacterOfPosition(node.getStart()).line + 1)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Whether a node is `context.get(servicesContext)`. */
const isServicesOfRequest = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) &&
  node.arguments.length === 1 &&
  node.arguments[0]?.getText() === 'servicesContext'

function namesServices(services: ts.CallExpression): boolean {
  const { parent } = services
  if (ts.isPropertyAccessExpression(parent)) return true
  if (ts.isCallExpression(parent)) return parent.arguments.includes(services)
  return (
    ts.isVariableDeclaration(parent) &&
    ts.isObjectBindingPattern(parent.name) &&
    parent.name.elements.every(({ dotDotDotToken }) => !dotDotDotToken)
  )
}

/** Whether a node is the type `Services` itself, not a part such as `Pick<Services, 'db'>` or `Services['db']`. */
function isTypeOfAllServices(node: ts.Node): boolean {
  if (!ts.isTypeReferenceNode(node) || node.typeName.getText() !== 'Services') return false
  const { parent } = node
  const isPicked = ts.isTypeReferenceNode(parent) && parent.typeName.getText() === 'Pick'
  return !isPicked && !ts.isIndexedAccessTypeNode(parent)
}

if (import.meta.main) {
  const paths = readdirSync('app', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath.replaceAll('\\', '/')}/${entry.name}`.slice('app/'.length))
  const misplaced = misplacedFiles(paths)
  for (const path of misplaced) process.stdout.write(`app/${path} doesn't belong there by its name.\n`)
  if (misplaced.length > 0) {
    process.stdout.write("docs/architecture.md, 'Where a file belongs', lists the names of each folder.\n")
  }
  const thick = paths.flatMap((path) => {
    const problem = path.endsWith('.tsx') ? routeProblem(path, readFileSync(`app/${path}`, 'utf8')) : null
    return problem ? [`app/${path} ${problem}: it belongs to the screens of a feature.`] : []
  })
  for (const problem of thick) process.stdout.write(`${problem}\n`)
  const whole = paths
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap((path) =>
      wholeServices(path, readFileSync(`app/${path}`, 'utf8')).map((line) => `app/${path}:${line}`),
    )
  for (const place of whole) process.stdout.write(`${place} takes all services. Name those that it uses.\n`)
  // A check that finds no files would always pass.
  process.exit(misplaced.length + thick.length + whole.length > 0 || paths.length < 300 ? 1 : 0)
}
