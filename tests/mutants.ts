/**
 * `npm run mutants`: removes safeguards one by one, each in a copy of the last commit, and runs the tests that should notice.
 * Prints those that nobody noticed, and fails for them. `npm run mutants -- refund` takes those whose name has that word.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MUTANTS, type Mutant } from './mutants/list.ts'

/** A test that runs out of time on a busy machine has noticed nothing. */
const PATIENCE_MS = 180_000

const root = process.cwd()
const word = process.argv[2] ?? ''
const chosen = MUTANTS.filter(({ name }) => name.includes(word))
const folder = mkdtempSync(join(tmpdir(), 'jubilee-mutants-'))
const copy = join(folder, 'copy')

function run(program: string, args: readonly string[], cwd: string): { ok: boolean; output: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  return { ok: status === 0, output: stdout + stderr }
}

/** @returns whether the tests pass */
function test(files: Iterable<string>): { ok: boolean; output: string } {
  const patient = `--testTimeout=${PATIENCE_MS}`
  return run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', patient, ...files], copy)
}

/** Changes the code, runs the tests that should notice, and puts it back. */
function noticed({ file, from, to, tests }: Mutant): boolean {
  const path = join(copy, file)
  const source = readFileSync(path, 'utf8')
  if (source.split(from).length !== 2) throw new Error(`${file} has not once: ${from}`)
  writeFileSync(
    path,
    source.replace(from, () => to),
  )
  try {
    return !test(tests).ok
  } finally {
    writeFileSync(path, source)
  }
}

const added = run('git', ['worktree', 'add', '--detach', copy, 'HEAD'], root)
if (!added.ok) throw new Error(added.output)
try {
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  // A test that fails anyway would notice everything.
  const before = test(new Set(chosen.flatMap(({ tests }) => tests)))
  if (!before.ok) throw new Error(`The tests fail without a mutant.\n${before.output}`)
  let unnoticed = 0
  for (const mutant of chosen) {
    const isNoticed = noticed(mutant)
    if (!isNoticed) unnoticed++
    process.stdout.write(`${isNoticed ? 'noticed  ' : 'UNNOTICED'} ${mutant.name}\n`)
  }
  process.stdout.write(
    `${chosen.length - unnoticed} of ${chosen.length} safeguards are missed when they are gone.\n`,
  )
  process.exitCode = unnoticed > 0 || chosen.length === 0 ? 1 : 0
} finally {
  run('git', ['worktree', 'remove', '--force', copy], root)
  rmSync(folder, { recursive: true, force: true })
}
