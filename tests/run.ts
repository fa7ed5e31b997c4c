/**
 * `npm test`: every check and every test, then one line 'N passed, N failed'. Each check counts as one.
 * `npm test -- checks` or `-- tests` runs half of it.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from '../server/build.ts'

const only = process.argv[2]
const bin = (path: string) => join('node_modules', path)
let passed = 0
let failed = 0
let skipped = 0

const checks: [name: string, args: string[]][] = [
  ['formatting and lint', [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.']],
  ['route types', [bin('@react-router/dev/bin.cjs'), 'typegen']],
  ['types', [bin('typescript/bin/tsc'), '--noEmit']],
  ['import rules', ['tests/import-rules.ts']],
  ['names and folders', ['tests/feature-structure.ts']],
  ['paths as text', ['tests/path-texts.ts']],
  ['tables of features', ['tests/table-rules.ts']],
  ['unused code', [bin('knip/bin/knip.js')]],
]

if (only !== 'tests') {
  for (const [name, args] of checks) {
    const result = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
    })
    const ok = result.status === 0
    process.stdout.write(`${ok ? 'ok    ' : 'FAILED'} ${name}\n`)
    if (ok) passed++
    else {
      failed++
      process.stdout.write(`${result.stdout}${result.stderr}\n`)
    }
  }
}

if (only !== 'checks') {
  await ensureBuilt()
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-tests-'))
  const report = join(folder, 'report.json')
  const result = spawnSync(
    process.execPath,
    [bin('vitest/vitest.mjs'), 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    { stdio: 'inherit', env: { ...process.env, NODE_ENV: 'test' } },
  )
  try {
    const counts = JSON.parse(readFileSync(report, 'utf8'))
    passed += counts.numPassedTests
    // A file that does not load has no test that could fail.
    failed += Math.max(counts.numFailedTests, counts.numFailedTestSuites > 0 ? 1 : 0)
    skipped += counts.numPendingTests
    if (result.status !== 0 && counts.numFailedTests === 0) failed = Math.max(failed, 1)
  } catch {
    failed++
    process.stdout.write('The tests ended without a report.\n')
  }
  rmSync(folder, { recursive: true, force: true })
}

process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
