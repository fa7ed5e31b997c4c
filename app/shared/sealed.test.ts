import { describe, expect, it } from 'vitest'
import { openSealed, sealText } from './sealed.ts'

const SECRET = 'a secret of the tests, with thirty-two characters'

describe('a sealed text', () => {
  it('opens with its secret and purpose alone', async () => {
    const sealed = await sealText(SECRET, 'account:1', 'BSB 062-000, Zoë')
    expect(sealed).not.toContain('062')
    expect(await openSealed(SECRET, 'account:1', sealed)).toBe('BSB 062-000, Zoë')
    expect(await openSealed(SECRET, 'account:2', sealed)).toBeNull()
    expect(await openSealed(`${SECRET}!`, 'account:1', sealed)).toBeNull()
  })

  it('differs each time, and doesn’t open once it was changed', async () => {
    const sealed = await sealText(SECRET, 'account:1', 'BSB')
    expect(await sealText(SECRET, 'account:1', 'BSB')).not.toBe(sealed)
    const changed = `${sealed.slice(0, -3)}${sealed.at(-3) === 'A' ? 'B' : 'A'}${sealed.slice(-2)}`
    expect(await openSealed(SECRET, 'account:1', changed)).toBeNull()
    for (const broken of ['', 'x', '%%%']) expect(await openSealed(SECRET, 'account:1', broken)).toBeNull()
  })
})
