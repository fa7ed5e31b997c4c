/** Names every source file of the product that doesn't belong by its name and folder: docs/architecture.md explains them. */
import { readdirSync } from 'node:fs'

const NAME = '[a-z0-9]+(-[a-z0-9]+)*'
const TOPIC = `(${NAME}-)?`
const AREAS = 'account|api|businesses|checkout|dashboard|operations|site'

/** Patterns of paths below `app/`; a file belongs if one of them matches its whole path. */
const PLACES = [
  // A feature: what its files are called. Tests are named after a file beside them or after what several files do.
  `features/${NAME}/${TOPIC}(rules|schema|wording|limits|mails)\\.ts`,
  `features/${NAME}/${TOPIC}(commands|queries|jobs|tables|deps|providers|pdf)\\.server\\.ts`,
  `features/${NAME}/${NAME}\\.test\\.ts`,
  `features/${NAME}/screens/${NAME}-(screen|sections)\\.(tsx|css)`,
  `features/${NAME}/components/(?!.*-(screen|sections)\\.)${NAME}(\\.tsx|\\.css|\\.test\\.ts)`,
  `features/${NAME}/browser/(use-${NAME}|${NAME}-(client|draft|handoff))(\\.test)?\\.ts`,
  // The layers around them.
  `ui/${NAME}(\\.tsx|\\.css|(\\.test)?\\.ts)`,
  `shared/${NAME}(\\.server|\\.test)?\\.ts`,
  `shell/${NAME}(\\.tsx|\\.css|(\\.test)?\\.ts)`,
  `routes/((${AREAS})/)?${NAME}(\\.server|\\.test)?\\.tsx?`,
].map((pattern) => new RegExp(`^${pattern}$`))

/** Names that say nothing of what is in a file. */
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

/** Whether a test in `components/` or `browser/` is beside the file that it is named after. */
function hasItsSubject(path: string, all: ReadonlySet<string>): boolean {
  const part = /^(features\/.+\/(components|browser)\/.+)\.test\.ts$/.exec(path)?.[1]
  return !part || all.has(`${part}.tsx`) || all.has(`${part}.ts`)
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
  // A check that sees nothing would pass for ever.
  process.exit(misplaced.length > 0 || paths.length < 300 ? 1 : 0)
}
