/**
 * `npm run backup -- folder`, `npm run restore -- folder`, `npm run move-to-postgres`: see docs/operate.md. Where the data
 * is and where it goes is said by the settings of the server: DATABASE_URL, DATA_DIR, S3_….
 */
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ensureBuilt } from './build.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const migrations = join(root, 'database/migrations')
const KNOWN_ERRORS = ['SettingsError', 'DataFolderInUse', 'BackupRefusal']
const [command, given] = process.argv.slice(2)

await ensureBuilt()
const built = (await import(
  pathToFileURL(join(root, 'build/server/index.js')).href
)) as typeof import('./entry.ts')

try {
  const settings = built.readDataSettings(process.env)
  if (command === 'move-to-postgres') {
    const report = await built.backup.moveToPostgres(settings, migrations)
    say(report)
    say('Moved, and compared: the rows of every table, and the money to the cent.')
    if (settings.fileStore.kind === 's3') say(`${report.filesCopied} files copied to the bucket.`)
    else say(`The files stay in ${settings.fileStore.folder}: keep DATA_DIR as it is.`)
    say(
      `Start the server with this DATABASE_URL, and with the SECRET it had (the demo's is in ${join(settings.dataFolder, 'secret')}): sessions and booking links hang on it.`,
    )
  } else if ((command === 'backup' || command === 'restore') && given) {
    const folder = resolve(given)
    say(
      command === 'backup'
        ? await built.backup.backUp(settings, folder)
        : await built.backup.restore(settings, folder, migrations),
    )
    say(
      command === 'backup'
        ? `Backed up to ${folder}. It holds personal data and is not encrypted.`
        : 'Restored.',
    )
    say('The SECRET is not part of a backup: keep it apart, since sessions and booking links hang on it.')
  } else {
    process.stderr.write('Name the folder: npm run backup -- folder, or npm run restore -- folder\n')
    process.exitCode = 1
  }
} catch (error) {
  // These say themselves what to do; of anything else, such as a server that is away, the message is what helps.
  const { name, message, stack } = error as Error
  process.stderr.write(`${KNOWN_ERRORS.includes(name) ? message : `Nothing was finished. ${stack}`}\n`)
  process.exitCode = 1
}

/** A report as lines for people. */
function say(what: string | Awaited<ReturnType<typeof built.backup.backUp>>): void {
  if (typeof what === 'string') {
    process.stdout.write(`${what}\n`)
    return
  }
  for (const { name, count } of what.tables) if (count > 0) say(`${String(count).padStart(10)}  ${name}`)
  for (const { what: name, count, cents } of what.sums)
    say(`${String(count).padStart(10)}  ${name}, $${(Number(cents) / 100).toFixed(2)}`)
  say(`${String(what.jobs.count).padStart(10)}  jobs that wait`)
  if (what.files) say(`${String(what.files.count).padStart(10)}  files`)
}
