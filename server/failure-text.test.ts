import { expect, it } from 'vitest'
import { failureText } from './failure-text.ts'

const named = (name: string) => Object.assign(new Error('Do this.'), { name })

it('a start that fails says what to do, without a stack, where the reason is known', () => {
  for (const name of ['SettingsError', 'DatabaseNotOpened', 'PoolerRefused', 'StoredValueDamaged'])
    expect(failureText(named(name))).toBe('Do this.')
  const other = new Error('a bug')
  expect(failureText(other)).toBe(other.stack)
  expect(failureText('thrown')).toBe('thrown')
})

it.each(['ENOSPC', 'EDQUOT', '53100'])('a start that fails by %s says that the disk is full', (code) => {
  const full = Object.assign(new Error('no space left on device, write'), { code })
  for (const error of [full, new Error('The embedded database has stopped', { cause: full })]) {
    expect(failureText(error)).toContain('The disk is full')
    expect(failureText(error)).not.toContain('    at ')
  }
})
