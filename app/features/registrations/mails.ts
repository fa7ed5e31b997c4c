import { href } from 'react-router'
import type { MailMessage } from '../../adapters/mail/port.ts'
import { composeMail, greeting, type MailSite as Site } from '../../shared/mail.ts'
import { PROBLEM_TEXTS, PROBLEM_TITLES } from './register-messages.ts'
import type { RegisterProblem } from './register-rules.ts'
import { groupAbnDigits } from './rules.ts'

/** The register has something against a vendor's registration. Anyone can register with another person's address. */
export function registerProblemMail(
  told: { key: string; problem: RegisterProblem; abn: string },
  to: { email: string; name: string; isProven: boolean },
  site: Site,
): MailMessage {
  return composeMail({
    id: told.key.replace(/[^\w.-]/g, '-'),
    to: to.email,
    site,
    subject: PROBLEM_TITLES[told.problem],
    content: {
      headline: { tone: 'waits', text: PROBLEM_TITLES[told.problem] },
      lines: [
        greeting(to.isProven ? to.name : ''),
        PROBLEM_TEXTS[told.problem],
        'We ask the register again every day. Once you’ve put it right, you can press ‘Ask again’ in your registration.',
      ],
      facts: [['ABN', groupAbnDigits(told.abn)]],
      link: {
        label: 'Open your registration',
        url: new URL(href('/dashboard/register-business'), site.publicUrl).href,
      },
      why: `You get this email because you registered a business on ${site.brand}.`,
    },
  })
}
