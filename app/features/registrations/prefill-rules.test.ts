import { describe, expect, it } from 'vitest'
import { prefillOf } from './prefill-rules.ts'
import { registrationSchema } from './schema.ts'

const account = { displayName: 'Robin Hale', email: 'robin@example.com', phoneNumber: '0412 345 678' }
const listing = { category: 'Photographers', location: 'Carlton VIC' }

describe('prefillOf', () => {
  it('takes name, email and phone from the account, suburb and industry from the listing', () => {
    expect(prefillOf({ account, listing })).toEqual({
      industryType: 'Photographers',
      principalAddress: 'Carlton VIC',
      businessPhone: '0412 345 678',
      businessEmail: 'robin@example.com',
      ownerName: 'Robin Hale',
      ownerPhone: '0412 345 678',
      ownerEmail: 'robin@example.com',
    })
  })

  it('leaves out what is missing, and what the form would refuse', () => {
    const bare = { displayName: null, email: 'robin@example.com', phoneNumber: null }
    expect(prefillOf({ account: bare, listing: null })).toEqual({
      businessEmail: 'robin@example.com',
      ownerEmail: 'robin@example.com',
    })
    const odd = { ...account, email: 'no address', phoneNumber: '12345' }
    const prefill = prefillOf({ account: odd, listing })
    expect([prefill.ownerEmail, prefill.ownerPhone]).toEqual([undefined, undefined])
  })

  it('fills in all but the name, the ABN, the structure and the date of birth', () => {
    const filled = registrationSchema('2026-11-28').safeParse(prefillOf({ account, listing }))
    const open = new Set(filled.error?.issues.map(({ path }) => path[0]))
    expect(open).toEqual(new Set(['businessName', 'abn', 'businessStructure', 'ownerDob']))
  })
})
