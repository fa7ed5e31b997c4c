import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Sources of the build. Tests of the built product don't import them, so they can't be found that way. */
const PRODUCT =
  /^(app|server|database|content|legal|public)\/|^(vite|react-router)\.config\.ts$|^package-lock\.json$/
const IMPORTS_BUILT_SERVER = /from '(\.\.?\/)+(tests\/)?server(-process)?\.ts'/

/**
 * The test files that a change touches: those that import a changed file, however indirectly. If the product changed,
 * also those that run the built product, every end-to-end test among them. A change is everything since main, committed
 * or not. On main it is everything uncommitted.
 */
export function findTouchedTests(): { files: string[]; why: string } {
  const isOnMain =
    git('rev-parse', '--abbrev-ref', 'HEAD') === 'main' || !git('rev-parse', '--verify', 'main')
  const since = isOnMain ? 'HEAD' : git('merge-base', 'main', 'HEAD')
  const changed = [
    ...git('diff', '--name-only', since).split('\n'),
    ...git('ls-files', '--others', '--exclude-standard').split('\n'),
  ].filter(Boolean)
  const touched = new Set(importersOf(isOnMain ? [] : [since]))
  const isProduct = changed.some((path) => PRODUCT.test(path) && !path.endsWith('.test.ts'))
  if (isProduct) {
    for (const path of globSync('{app,server,content,tests}/**/*.{test,e2e,engine}.ts')) {
      const runsProduct = path.startsWith('tests/') || IMPORTS_BUILT_SERVER.test(readFileSync(path, 'utf8'))
      if (runsProduct) touched.add(path)
    }
  }
  const about = `${changed.length} changed files touch ${touched.size} test files`
  return {
    files: [...touched].sort(),
    why: isProduct ? `${about}: the product changed, so they include all that run it.` : `${about}.`,
  }
}

/** The test files that import a changed file. */
function importersOf(since: string[]): string[] {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join('node_modules', 'vitest/vitest.mjs'), 'list', '--changed', ...since, '--filesOnly', '--json'],
    { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } },
  )
  if (status !== 0) throw new Error(`vitest list failed: ${stderr || stdout}`)
  const listed = JSON.parse(stdout.slice(stdout.indexOf('['))) as { file: string }[]
  return listed.map(({ file }) => relative(process.cwd(), file))
}

/** @returns git's output, or '' when it fails */
function git(...args: string[]): string {
  return spawnSync('git', args, { encoding: 'utf8' }).stdout.trim()
}
