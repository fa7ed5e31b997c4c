import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { SECURITY_LOG_MS } from '../app/features/accounts/security-rules.ts'
import { FORMER_PRIVACY_POLICIES, PRIVACY_POLICY } from '../app/features/agreements/rules.ts'
import { RETENTION_MONTHS } from '../app/features/enquiries/rules.ts'
import { IDENTITIES_KEPT_YEARS } from '../app/features/income-reports/rules.ts'
import { HELD_REASONS, type HeldReason } from '../app/features/payouts/rules.ts'
import { ANSWERS_KEPT_YEARS } from '../app/features/registrations/register-rules.ts'
import { EXTENSION_DAYS, OVERDUE_DAYS } from '../app/features/sales/plan-rules.ts'
import { DAY_MS } from '../app/shared/time-units.ts'

const policy = readFileSync('legal/privacy-policy.md', 'utf8')
const decisions = policy.split('## 5. Decisions that a program makes')[1]?.split('\n## ')[0] ?? ''
const periods = policy.split('## 6. How long')[1]?.split('\n## ')[0] ?? ''

describe('the privacy policy', () => {
  it('states the retention periods of the rules', () => {
    expect(periods).toContain(`${RETENTION_MONTHS} months after the last message`)
    expect(periods).toContain(`${SECURITY_LOG_MS / DAY_MS} days`)
    expect(ANSWERS_KEPT_YEARS).toBe(5)
    expect(periods).toContain('about an ABN is kept for five years after it was last said')
  })

  it('says what the Tax Office gets, and for how long its reports are kept', () => {
    expect(policy.split('## 4.')[0]).toMatch(/The Australian Taxation Office gets a report twice a year/)
    expect(IDENTITIES_KEPT_YEARS).toBe(5)
    expect(periods).toContain(
      'What our reports to the Tax Office say about a vendor is kept for five years, also after',
    )
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

  it('takes effect by 10 December 2026, and says so', () => {
    expect(PRIVACY_POLICY.version <= '2026-12-10').toBe(true)
    expect(policy).toContain('It takes effect on 10 December 2026. Until then, the version of 26 November')
    expect(FORMER_PRIVACY_POLICIES[0]?.version).toBe('2026-11-26')
  })

  it('states the times and reasons of the decisions that a program makes', () => {
    expect(decisions).toContain(`unpaid for ${OVERDUE_DAYS} days, or ${OVERDUE_DAYS + EXTENSION_DAYS}`)
    // One sentence for each reason, and no other reason.
    const reasons = {
      no_agreement: 'the vendor agreement isn’t accepted',
      no_account: 'account isn’t ready',
      restricted: 'account isn’t ready',
      register: 'the Australian Business Register denies the registered ABN or GST',
      refund: 'a refund',
      dispute: 'a dispute',
      debt: 'a debt',
      operator: 'a person of ours has put it on hold',
    } as const satisfies Record<HeldReason, string>
    const held = decisions.split('- Holding a payout:')[1]?.split('\n')[0]?.replaceAll("'", '’') ?? ''
    for (const reason of HELD_REASONS) expect(held).toContain(reasons[reason])
  })

  it('names every kind of decision, the data for it, and how to reach a person', () => {
    for (const kind of ['Declining', 'Approving', 'Holding', 'order of search', 'login', 'Limits', 'Links'])
      expect(decisions).toContain(kind)
    expect(decisions).toMatch(/To reach a person about any of these decisions, write or call us/)
  })

  it('promises nothing that isn’t built: no guest list, no instant approval', () => {
    expect(policy).toContain('we keep no guest list')
    expect(decisions).not.toMatch(/instant/i)
  })
})
