/** Runs dependency-cruiser and fails if it inspected too few files: with a wrong parser it inspects none and passes. */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'

const result = spawnSync(
  process.execPath,
  [
    'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
    'app',
    'server',
    'database',
    'content',
    'tests',
    '--output-type',
    'json',
  ],
  { encoding: 'utf8', maxBuffer: 1 << 28 },
)
if (!result.stdout) {
  process.stdout.write(result.stderr)
  process.exit(1)
}
const { modules, summary } = JSON.parse(result.stdout) as {
  modules: { source: string }[]
  summary: { violations: { rule: { name: string }; from: string; to: string }[] }
}
const sources = ['app', 'server', 'database', 'content', 'tests'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file)),
)
const seen = modules.filter(({ source }) =>
  /^(app|server|database|content|tests)\/.*\.tsx?$/.test(source),
).length
for (const { rule, from, to } of summary.violations) process.stdout.write(`${rule.name}: ${from} → ${to}\n`)
if (seen < sources.length * 0.9) {
  process.stdout.write(`Only ${seen} of ${sources.length} source files were inspected.\n`)
  process.exit(1)
}
process.exit(summary.violations.length > 0 ? 1 : 0)
