import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const FOLDERS = ['app', 'bench', 'content', 'database', 'deploy', 'docs', 'server', 'tests']
/** Folders that docs/architecture.md names without a leading `app/`. */
const APP_FOLDERS = ['adapters', 'features', 'routes', 'shared', 'shell', 'styles', 'ui']
const FILE_NAME = /^\.?[\w-]+(\.[\w-]+)*\.(ts|tsx|css|sql|md|tsv|json|jsonc|cjs|txt)$/

const fileNames = FOLDERS.flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }))
  .concat(readdirSync('.'))
  .map((path) => path.split('/').at(-1) ?? '')

/** Whether a file has this name or ends with it, as in `pdf.server.ts` and `.test.ts`. */
const isFileName = (name: string) =>
  fileNames.some((file) => file === name || file.endsWith(name.startsWith('.') ? name : `-${name}`))

/** The paths of `features/{a,b}/rules.ts`: one for each part in braces. */
function expandBraces(path: string): string[] {
  const [whole, before = '', parts, after = ''] = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/.exec(path) ?? []
  if (whole === undefined || parts === undefined) return [path]
  return parts.split(',').flatMap((part) => expandBraces(before + part + after))
}

/** Whether a path exists, or a test that docs/specification.md names without its ending. */
const isPath = (path: string) =>
  existsSync(path) || existsSync(`${path}.e2e.ts`) || existsSync(`${path}.test.ts`)

/**
 * The paths in a document that do not exist. A path is marked as code or is the target of a link. One with a
 * placeholder, such as `features/<noun>/`, is not checked.
 */
function missingPaths(document: string, text: string): string[] {
  const links = [...text.matchAll(/\]\(([^)#\s]+)(#[^)]*)?\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => !existsSync(join(dirname(document), target)))
  const named = [...text.matchAll(/`([^`\s]+)`/g)]
    .flatMap(([, code = '']) => expandBraces(code))
    .filter((code) => !/[<>{}*():]/.test(code))
    .filter((code) => {
      const [first = ''] = code.split('/')
      if (!code.includes('/')) return FILE_NAME.test(code) && !isFileName(code)
      if (FOLDERS.includes(first)) return !isPath(code)
      return APP_FOLDERS.includes(first) && !existsSync(join('app', code)) && !existsSync(code)
    })
  return [...links, ...named]
}

describe('the paths in the documents about the code', () => {
  const howTos = readdirSync('docs/how-to').map((name) => `docs/how-to/${name}`)

  it.each([
    'docs/architecture.md',
    'docs/security.md',
    'docs/specification.md',
    'docs/walk-of-a-booking.md',
    ...howTos,
  ])('exist: %s', (document) => {
    expect(missingPaths(document, readFileSync(document, 'utf8'))).toEqual([])
  })

  it('lead from README.md, CONTRIBUTING.md and docs/architecture.md to every how-to', () => {
    expect(howTos.length).toBeGreaterThanOrEqual(6)
    for (const document of ['README.md', 'CONTRIBUTING.md', 'docs/architecture.md']) {
      const text = readFileSync(document, 'utf8')
      for (const howTo of howTos) {
        const target = document.startsWith('docs/') ? howTo.slice('docs/'.length) : howTo
        expect([document, text.includes(`(${target})`)]).toEqual([document, true])
      }
    }
  })

  it('name a test or the reason for every chapter of ASVS, and a test for every attack', () => {
    const text = readFileSync('docs/security.md', 'utf8')
    const lastCells = (heading: string) =>
      (text.split(`## ${heading}`)[1]?.split('\n## ')[0] ?? '')
        .split('\n')
        .filter((line) => line.startsWith('| '))
        .slice(1)
        .map((line) => line.split('|').map((cell) => cell.trim()))
        .map((cells) => ({ row: cells[1], says: cells.at(-3), last: cells.at(-2) ?? '' }))
    const chapters = lastCells('OWASP ASVS 5.0, level 2, by chapter')
    expect(chapters).toHaveLength(17)
    for (const { row, says = '', last } of chapters)
      expect([row, last.includes('.test.ts') || (last === '–' && says.startsWith('not used'))]).toEqual([
        row,
        true,
      ])
    const attacks = lastCells('Attacks that were tried')
    expect(attacks.length).toBeGreaterThanOrEqual(40)
    for (const { row, last } of attacks)
      expect([row, /^the same$|\.(test|hosted|e2e)\.ts`/.test(last)]).toEqual([row, true])
  })

  it('must exist, or the check lists them', () => {
    const text =
      'See [here](operate.md), [there](nowhere.md), `app/root.tsx`, `app/rood.tsx`, `features/search/rules.ts`, ' +
      '`features/find/rules.ts`, `filter-rules.ts`, `filters.ts`, `features/<noun>/`, `href()`, `npm run check`, ' +
      '`features/search/{rules,ruler}.ts`, `tests/e2e/cart`, `tests/e2e/carts`'
    expect(missingPaths('docs/architecture.md', text)).toEqual([
      'nowhere.md',
      'app/rood.tsx',
      'features/find/rules.ts',
      'filters.ts',
      'features/search/ruler.ts',
      'tests/e2e/carts',
    ])
  })
})
