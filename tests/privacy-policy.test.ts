import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { SECURITY_LOG_MS } from '../app/features/accounts/security-rules.ts'
import { RETENTION_MONTHS } from '../app/features/enquiries/rules.ts'

const DAY_MS = 24 * 3_600_000
const policy = readFileSync('legal/privacy-policy.md', 'utf8')
const periods = policy.split('## 5. How long')[1]?.split('\n## ')[0] ?? ''

describe('the privacy policy', () => {
  it('has the retention periods of the rules', () => {
    expect(periods).toContain(`${RETENTION_MONTHS} months after the last message`)
    expect(periods).toContain(`${SECURITY_LOG_MS / DAY_MS} days`)
  })

  it('says that bookings, reviews and some conversations outlive an account', () => {
    expect(periods).toMatch(/Bookings, payments, payouts, refunds and receipts stay for good/)
    expect(periods).toMatch(/Reviews stay .*without your name/)
    expect(periods).toMatch(/one that led to a booking stays with its quotes/)
    expect(periods).not.toContain('Everything else goes')
  })

  it('mentions messages among the data that is stored', () => {
    expect(policy.split('## 2.')[0]).toMatch(/- Messages: .*files.*quotes/)
  })
})
