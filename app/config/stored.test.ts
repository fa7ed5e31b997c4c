import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StoredValueDamaged, storedPushKey, storedSecret } from './stored.server.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jubilee-stored-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe.each([
  { file: 'secret', read: storedSecret },
  { file: 'push-key', read: storedPushKey },
])('the stored $file', ({ file, read }) => {
  it('stays the same once made, in a file that only its owner can read', () => {
    const value = read(folder)
    expect(read(folder)).toBe(value)
    expect(readdirSync(folder)).toEqual([file])
    expect((statSync(join(folder, file)).mode & 0o777).toString(8)).toBe('600')
  })

  it('refuses a damaged file with its path, and leaves the file as it is', () => {
    const value = read(folder)
    for (const damaged of [
      '',
      value.slice(0, 10),
      value.slice(0, -1),
      `${value}00`,
      'x'.repeat(value.length - 1),
    ]) {
      writeFileSync(join(folder, file), `${damaged}\n`)
      expect(() => read(folder)).toThrow(StoredValueDamaged)
      expect(() => read(folder)).toThrow(join(folder, file))
      expect(readFileSync(join(folder, file), 'utf8')).toBe(`${damaged}\n`)
    }
  })

  it('leaves nothing under its name when it can’t be written whole', () => {
    // A folder in the place of the unfinished file refuses the write, as a full disk does.
    mkdirSync(join(folder, `${file}.${process.pid}.part`))
    expect(() => read(folder)).toThrow()
    expect(readdirSync(folder)).not.toContain(file)
  })
})
