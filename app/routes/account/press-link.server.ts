import { data, href, redirect } from 'react-router'
import type { AccountCode, Accounts } from '../../adapters/accounts/port.ts'
import type { Config } from '../../config.server.ts'
import { signedOutHeaders } from '../../features/accounts/commands.server.ts'
import { accountWording } from '../../features/accounts/messages.ts'
import { pressedLinkSchema } from '../../features/accounts/schema.ts'
import { readForm } from '../../shared/form.ts'

/** How a page words the refusals of its link, where it has better wording than the catalogue. */
type Refusals = Partial<Record<AccountCode, string>>

const wordsFor = (refusals: Refusals, reason: AccountCode) => refusals[reason] ?? accountWording[reason]

/** Reads a mailed link for its page. Mail programs open links to scan them, so a GET changes nothing. */
export async function readLink(
  find: Accounts['findUndoLink' | 'findDeviceLink'],
  request: Request,
  refusals: Refusals,
) {
  const token = new URL(request.url).searchParams.get('token') ?? ''
  const link = await find(request, { token })
  return {
    token,
    email: link.ok ? link.email : null,
    problem: link.ok ? null : wordsFor(refusals, link.reason),
  }
}

/**
 * Handles the press of such a page's button. Needs no session: the link proves the address. A new password follows,
 * because somebody else may know the old one.
 */
export async function pressLink(
  use: Accounts['undoEmailChange' | 'refuseDevice'],
  request: Request,
  { refusals, publicUrl }: { refusals: Refusals } & Pick<Config, 'publicUrl'>,
) {
  const refuse = (reason: AccountCode, status: number) =>
    data({ email: null, problem: wordsFor(refusals, reason) }, { status })
  const parsed = pressedLinkSchema.safeParse(Object.fromEntries(await readForm(request, pressedLinkSchema)))
  if (!parsed.success) return refuse('invalid-action-code', 400)
  const answer = await use(request, parsed.data)
  if (!answer.ok) return refuse(answer.reason, answer.reason === 'too-many-requests' ? 429 : 400)
  const headers = signedOutHeaders(answer.cookies, publicUrl)
  if (answer.resetToken)
    return redirect(`${href('/reset-password')}?${new URLSearchParams({ token: answer.resetToken })}`, {
      headers,
    })
  return data({ email: answer.email, problem: null }, { headers })
}
