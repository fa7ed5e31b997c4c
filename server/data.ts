/**
 * `npm run backup -- folder`, `npm run restore -- folder`, `npm run move-to-postgres`: see docs/operate.md. The source
 * and the target are those of the server's settings: DATABASE_URL, DATA_DIR, S3_….
 */
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ensureBuilt } from './build.ts'
import { failureText } from './failure-text.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const migrations = join(root, 'database/migrations')
const [command, given] = process.argv.slice(2)

await ensureBuilt()
const built = (await import(
  pathToFileURL(join(root, 'build/server/index.js')).href
)) as typeof import('./entry.ts')

try {
  const settings = built.readDataSettings(process.env)
  if (command === 'move-to-postgres') {
    const report = await built.backup.moveToPostgres(settings, migrations)
    print(report)
    print('Moved. The rows of every table and the money to the cent were compared.')
    if (settings.fileStore.kind === 's3') print(`${report.filesCopied} files copied to the bucket.`)
    else print(`The files stay in ${settings.fileStore.folder}: keep DATA_DIR as it is.`)
    print(
      `Start the server with this DATABASE_URL and its old SECRET (the demo's is in ${join(settings.dataFolder, 'secret')}): sessions and booking links depend on it.`,
    )
  } else if ((command === 'backup' || command === 'restore') && given) {
    const folder = resolve(given)
    print(
      command === 'backup'
        ? await built.backup.backUp(settings, folder)
        : await built.backup.restore(settings, folder, migrations),
    )
    print(
      command === 'backup'
        ? `Backed up to ${folder}. The backup contains personal data and is not encrypted.`
        : 'Restored.',
    )
    print(
      'A backup does not contain the SECRET. Keep it separately: sessions and booking links depend on it.',
    )
  } else {
    process.stderr.write('Name the folder: npm run backup -- folder, or npm run restore -- folder\n')
    process.exitCode = 1
  }
} catch (error) {
  process.stderr.write(`${failureText(error)}\n`)
  process.exitCode = 1
}

/** Prints a text, or a report as lines for people. */
function print(what: string | Awaited<ReturnType<typeof built.backup.backUp>>): void {
  if (typeof what === 'string') {
    process.stdout.write(`${what}\n`)
    return
  }
  for (const { name, count } of what.tables) if (count > 0) print(`${String(count).padStart(10)}  ${name}`)
  for (const { what: name, count, cents } of what.sums)
    print(`${String(count).padStart(10)}  ${name}, $${(Number(cents) / 100).toFixed(2)}`)
  print(`${String(what.jobs.count).padStart(10)}  waiting jobs`)
  if (what.files) print(`${String(what.files.count).padStart(10)}  files`)
}
