import { describe, expect, it } from 'vitest'
import type { AccountCode } from '../../adapters/accounts/port.ts'
import { submitAccountForm } from './commands.server.ts'
import { signInSchema } from './schema.ts'

describe('an account form that the account service refuses', () => {
  it.each([
    ['invalid-credential', 400],
    ['too-many-requests', 429],
    ['internal-error', 503],
  ] as const satisfies readonly (readonly [AccountCode, number])[])(
    'answers %s with status %i and keeps all but the password',
    async (reason, status) => {
      const form = new FormData()
      form.set('email', 'kim@example.com')
      form.set('password', 'long enough')
      const ask = async () => ({ ok: false, reason }) as const
      const outcome = await submitAccountForm({ form, schema: signInSchema, ask })
      expect(outcome).toMatchObject({ ok: false, status, reason })
      const typed = outcome.ok ? null : outcome.result.initialValue
      expect(typed).toEqual({ email: 'kim@example.com' })
    },
  )
})
