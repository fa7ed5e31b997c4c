import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const FOLDERS = ['app', 'bench', 'database', 'deploy', 'docs', 'server', 'tests']
/** docs/architecture.md names these without the `app/` before them. */
const APP_FOLDERS = ['adapters', 'features', 'illustrations', 'routes', 'shared', 'shell', 'styles', 'ui']
const FILE_NAME = /^\.?[\w-]+(\.[\w-]+)*\.(ts|tsx|css|sql|md|tsv|json|jsonc|cjs|txt)$/

const fileNames = FOLDERS.flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }))
  .concat(readdirSync('.'))
  .map((path) => path.split('/').at(-1) ?? '')

/** Whether some file has this name. `pdf.server.ts` and `.test.ts` are names with something before them. */
const isFileName = (name: string) =>
  fileNames.some((file) => file === name || file.endsWith(name.startsWith('.') ? name : `-${name}`))

/**
 * The paths that a document names and that are not there. A path is marked as code, or is the target of a link. One with
 * a placeholder, such as `features/<noun>/`, stands for many.
 */
function missingPaths(document: string, text: string): string[] {
  const links = [...text.matchAll(/\]\(([^)#\s]+)(#[^)]*)?\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => !existsSync(join(dirname(document), target)))
  const named = [...text.matchAll(/`([^`\s]+)`/g)]
    .map(([, code = '']) => code)
    .filter((code) => !/[<>{}*():]/.test(code))
    .filter((code) => {
      const [first = ''] = code.split('/')
      if (!code.includes('/')) return FILE_NAME.test(code) && !isFileName(code)
      if (FOLDERS.includes(first)) return !existsSync(code)
      return APP_FOLDERS.includes(first) && !existsSync(join('app', code)) && !existsSync(code)
    })
  return [...links, ...named]
}

describe('the paths in the documents about the code', () => {
  const howTos = readdirSync('docs/how-to').map((name) => `docs/how-to/${name}`)

  it.each(['docs/architecture.md', ...howTos])('exist: %s', (document) => {
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

  it('are found where they are wrong', () => {
    const text =
      'See [here](operate.md), [there](nowhere.md), `app/root.tsx`, `app/rood.tsx`, `features/search/rules.ts`, ' +
      '`features/find/rules.ts`, `filter-rules.ts`, `filters.ts`, `features/<noun>/`, `href()`, `npm run check`'
    expect(missingPaths('docs/architecture.md', text)).toEqual([
      'nowhere.md',
      'app/rood.tsx',
      'features/find/rules.ts',
      'filters.ts',
    ])
  })
})
