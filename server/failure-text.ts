/** Errors whose message tells the operator what to do. Any other one is a bug, or an unreachable server. */
const KNOWN_ERRORS: readonly string[] = [
  'SettingsError',
  'StoredValueDamaged',
  'DataFolderInUse',
  'DatabaseNotOpened',
  'PoolerRefused',
  'PortTaken',
  'ProcessDidNotStart',
  'BackupRefusal',
]
/** A full disk, as the file system and PostgreSQL report it. */
const DISK_FULL: readonly unknown[] = ['ENOSPC', 'EDQUOT', '53100']

/** The words in which a command tells why it could not start or finish; an unknown error keeps its stack. */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (KNOWN_ERRORS.includes(error.name)) return error.message
  for (let each: unknown = error; each instanceof Error; each = each.cause)
    if ('code' in each && DISK_FULL.includes(each.code))
      return `The disk is full: ${each.message}\nFree some space and start again. What was saved is still there.`
  return error.stack ?? error.message
}
