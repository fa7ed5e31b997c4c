/**
 * `npm test`: runs every check and every test, then prints one line 'N passed, N failed'. Each check counts as one.
 * `-- checks` or `-- tests` runs only those, `-- changed` the checks and the tests that a change touches, `-- hosted` only
 * the account screens against the hosted service's own emulator, which it downloads once (266 MB), `-- ci` everything and
 * that and every journey and screen in all three browser engines, `-- night` the same at full size, killing servers at every
 * point, and `-- histories` only the random histories of payments, of instalments, of the ledger, of payouts, of quotes and of
 * the whole product, many times as many.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from '../server/build.ts'
import budget from './budget.json' with { type: 'json' }
import { findTouchedTests } from './changed.ts'
import { ENGINES, missingPrograms } from './engines/installed.ts'
import type { Report } from './report.ts'

const MODES = ['all', 'checks', 'tests', 'changed', 'hosted', 'ci', 'night', 'histories'] as const
/** The projects of vitest.config.ts that need no network. */
const OFFLINE = ['rules and requests', 'end to end', 'engines'].flatMap((name) => ['--project', name])
const HOSTED = 'hosted sign-in'
const HISTORIES = '2000'
/** Of each kind by night. */
const HISTORIES_BY_NIGHT = '400'
const SLOWEST = 20
/** The results of the last type check, for each file. */
const TYPES_SEEN = 'node_modules/.cache/types.tsbuildinfo'

const mode = MODES.find((one) => one === (process.argv[2] ?? 'all'))
if (!mode) {
  process.stderr.write(
    `There is no 'npm test -- ${process.argv[2]}'. There is: ${MODES.slice(1).join(', ')}.\n`,
  )
  process.exit(1)
}
const bin = (path: string) => join('node_modules', path)
let passed = 0
let failed = 0
let skipped = 0

type Check = [name: string, args: string[]]
/** The other checks read the generated route types. */
const firstCheck: Check = ['route types', [bin('@react-router/dev/bin.cjs'), 'typegen']]
/** Two run at once. The longest come first, so that neither core waits for the other at the end. */
const checks: Check[] = [
  ['types', [bin('typescript/bin/tsc'), '--noEmit', '--incremental', '--tsBuildInfoFile', TYPES_SEEN]],
  ['import rules', ['tests/import-rules.ts']],
  ['unused code', [bin('knip/bin/knip.js')]],
  ['formatting and lint', [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.']],
  ['tables of features', ['tests/table-rules.ts']],
  ['order of locks', ['tests/unranked-locks.ts']],
  ['names and folders', ['tests/feature-structure.ts']],
  ['long functions', ['tests/long-functions.ts']],
  ['linear patterns', ['tests/linear-patterns.ts']],
  ['paths as text', ['tests/path-texts.ts']],
  ['costly forms', ['tests/costly-forms.ts']],
  ['products of prices', ['tests/price-products.ts']],
  ['texts of Intl', ['tests/intl-texts.ts']],
]
// The tests need it, and it uses one core.
if (mode === 'all' || mode === 'ci' || mode === 'night') checks.unshift(['build', ['server/build.ts']])
/** Reads the build, so it follows the others. */
const lastCheck: Check = ['oldest browsers', ['tests/baseline.ts']]

if (mode !== 'tests' && mode !== 'hosted' && mode !== 'histories') {
  await check(firstCheck)
  const runNext = async (): Promise<void> => {
    const next = checks.shift()
    if (!next) return
    await check(next)
    return runNext()
  }
  await Promise.all([runNext(), runNext()])
  await check(lastCheck)
}

if (mode === 'all' || mode === 'tests') await runTests(OFFLINE)
if (mode === 'night') {
  process.env.NIGHT = '1'
  process.env.HISTORIES ??= HISTORIES_BY_NIGHT
}
if (mode === 'ci' || mode === 'night') {
  process.env.ENGINES = 'required'
  await runTests([...OFFLINE, '--project', HOSTED])
}
if (mode === 'hosted') await runTests(['--project', HOSTED])
if (mode === 'histories') {
  process.env.HISTORIES ??= HISTORIES
  await runTests([
    ...['bookings', 'instalments', 'ledger', 'payouts', 'quotes'].map(
      (owner) => `app/features/${owner}/histories.test.ts`,
    ),
    'tests/front-door.test.ts',
  ])
}
if (mode === 'changed') {
  const { files, why } = findTouchedTests()
  process.stdout.write(`${why}\n`)
  if (files.length > 0) await runTests(files)
}

process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0

async function check([name, args]: Check): Promise<void> {
  const child = spawn(process.execPath, args, { env: { ...process.env, NO_COLOR: '1' } })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  const status = await new Promise((resolve) => child.once('close', resolve))
  const ok = status === 0
  process.stdout.write(`${ok ? 'ok    ' : 'FAILED'} ${name}\n`)
  if (ok) passed++
  else {
    failed++
    process.stdout.write(`${output}\n`)
  }
}

/** @param selection paths of test files, or projects of vitest.config.ts */
async function runTests(selection: readonly string[]): Promise<void> {
  await ensureBuilt()
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-tests-'))
  const path = join(folder, 'report.json')
  const { status } = spawnSync(
    process.execPath,
    [bin('vitest/vitest.mjs'), 'run', '--reporter=default', '--reporter=./tests/report.ts', ...selection],
    { stdio: 'inherit', env: { ...process.env, REPORT_FILE: path } },
  )
  try {
    const report = JSON.parse(readFileSync(path, 'utf8')) as Report
    passed += report.passed
    failed += report.failed
    skipped += report.skipped
    const hosted = report.projects[HOSTED]
    if (hosted) process.stdout.write(`${HOSTED}: ${hosted.passed} passed, ${hosted.failed} failed\n`)
    if (report.projects.engines) printEngines()
    if (status !== 0 && report.failed === 0) failed++
    printDearest(report)
    if (mode === 'all' || mode === 'ci') holdBudget(report)
  } catch {
    failed++
    process.stdout.write('The tests ended without a report.\n')
  }
  rmSync(folder, { recursive: true, force: true })
}

function printDearest({ files }: Report): void {
  process.stdout.write('The dearest files: their time, and that of the processor:\n')
  for (const { name, ms, processorMs } of files
    .toSorted((one, other) => (other.processorMs ?? 0) - (one.processorMs ?? 0))
    .slice(0, SLOWEST)) {
    const times = [ms, processorMs ?? 0].map((time) => (time / 1_000).toFixed(1).padStart(6))
    process.stdout.write(`${times.join(' s ')} s  ${name}\n`)
  }
}

/**
 * Counts a failure if the tests of `npm test` take more of the processor than tests/budget.json allows, in one file or together. That
 * time is nearly the same on a busy machine. The engines and the emulator, which not every machine has, are not in it.
 */
function holdBudget({ files }: Report): void {
  const counted = files.filter(({ project }) => project !== HOSTED && project !== 'engines')
  const seconds = counted.map(({ name, processorMs }) => ({ name, seconds: (processorMs ?? 0) / 1_000 }))
  const sum = seconds.reduce((total, one) => total + one.seconds, 0)
  const over = [
    ...seconds.filter((one) => one.seconds > budget.fileSeconds),
    ...(sum > budget.sumSeconds ? [{ name: 'all files together', seconds: sum }] : []),
  ]
  process.stdout.write(`Processor time of the tests: ${sum.toFixed(0)} of ${budget.sumSeconds} s.\n`)
  for (const one of over) process.stdout.write(`Over its budget: ${one.name}, ${one.seconds.toFixed(1)} s\n`)
  if (over.length > 0) failed++
  else passed++
}

/** Prints in which browser engines the tests ran, and which of them this machine lacks. */
function printEngines(): void {
  const lacking = ENGINES.filter((name) => missingPrograms(name).length > 0)
  const ran = ENGINES.filter((name) => !lacking.includes(name))
  const list = mode === 'ci' ? 'every journey and screen' : 'the main journeys and screens'
  const notRun = `Not run in ${lacking.join(' and ')}, missing on this machine (.ci/run installs it).`
  process.stdout.write(
    `Browser engines: ${list} in ${ran.join(', ')}.${lacking.length > 0 ? ` ${notRun}` : ''}\n`,
  )
}
