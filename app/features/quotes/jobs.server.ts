import type { Mail } from '../../adapters/mail/port.ts'
import { conversationLinkToken } from '../enquiries/rules.ts'
import { endQuoteHolds, expireQuotes, type QuoteDeps } from './commands.server.ts'
import { type QuoteLinkMail, withQuoteLink } from './mails.ts'

declare module '../../adapters/jobs/port.ts' {
  interface JobData {
    /** The link is filled in when the mail is sent, so that a queued mail can't open the quote. */
    'send-quote-mail': QuoteLinkMail
    'expire-quotes': Record<string, never>
    'end-quote-holds': Record<string, never>
  }
}

const EACH_MINUTE = '* * * * *'

/** Registers the jobs of quotes: their mails, the end of their last day, and the end of their holds. */
export function registerQuoteJobs(deps: QuoteDeps & { secret: string }, mail: Mail): void {
  const { jobs } = deps
  jobs.handle('send-quote-mail', async (message) => {
    await mail.send(withQuoteLink(message, await conversationLinkToken(deps.secret, message.conversationId)))
  })
  jobs.handle('expire-quotes', async () => {
    await expireQuotes(deps)
  })
  jobs.schedule('expire-quotes', EACH_MINUTE, {})
  jobs.handle('end-quote-holds', async () => {
    await endQuoteHolds(deps)
  })
  jobs.schedule('end-quote-holds', EACH_MINUTE, {})
}
