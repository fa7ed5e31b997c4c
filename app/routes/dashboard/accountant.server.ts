import { data, type RouterContextProvider } from 'react-router'
import { mayWrite } from '../../features/accounts/commands.server.ts'
import { askAccountant, dropAccountant } from '../../features/tax/accountant-commands.server.ts'
import {
  ASK_FAILURES,
  ASKED_TOAST,
  EMAIL_WRONG,
  STOPPED_TOAST,
} from '../../features/tax/accountant-messages.ts'
import { accountantSchema } from '../../features/tax/accountant-schema.ts'
import type { AccountantAnswer } from '../../features/tax/components/accountant-form.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { accountantDeps } from '../../services/deps.server.ts'

const STATUSES = { unproven: 403, ended: 409, asked: 409, too_often: 429 } as const

/** Asks a vendor's accountant, or stops the mails to them. @param form posted by the Tax block */
export async function saveAccountant(
  context: Readonly<RouterContextProvider>,
  user: { uid: string; emailVerified: boolean },
  form: FormData,
) {
  const { db, rateLimits } = context.get(servicesContext)
  if (!(await mayWrite(rateLimits, user.uid))) return refuse('too_often')
  if (form.get('intent') === 'stop-accountant') {
    await dropAccountant({ db }, user.uid)
    return answer({ ok: true, message: STOPPED_TOAST }, 200)
  }
  const parsed = accountantSchema.safeParse(Object.fromEntries(form))
  if (!parsed.success)
    return answer({ ok: false, message: EMAIL_WRONG, errors: { accountant: EMAIL_WRONG } }, 422)
  const asked = await askAccountant(
    { ...accountantDeps(context.get(servicesContext)), rateLimits },
    { userId: user.uid, isProven: user.emailVerified },
    parsed.data.accountant,
  )
  return asked.ok ? answer({ ok: true, message: ASKED_TOAST }, 200) : refuse(asked.reason)
}

function refuse(reason: keyof typeof ASK_FAILURES) {
  const message = ASK_FAILURES[reason]
  return answer({ ok: false, message, errors: { accountant: message } }, STATUSES[reason])
}

const answer = (body: AccountantAnswer, status: number) => data<AccountantAnswer>(body, { status })
