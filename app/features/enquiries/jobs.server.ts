import type { Mail } from '../../adapters/mail/port.ts'
import type { EnquiryDeps } from './deps.server.ts'
import { deleteUnusedFiles } from './file-commands.server.ts'
import { mailLink, mailMessages, tellOfMessages } from './notice-commands.server.ts'
import { mailRefusal } from './reply-commands.server.ts'
import type { Side } from './rules.ts'

declare module '../../adapters/jobs/port.ts' {
  interface JobData {
    /** The links and texts are read when a mail is sent: the queue has only ids. */
    'send-question-link': { conversationId: string; again?: string }
    'send-messages-mail': { conversationId: string; side: Side; burst: string }
    'send-reply-refused': { conversationId: string; side: Side; receivedId: string; reason: string }
    'tell-of-messages': Record<string, never>
    'delete-message-files': { keys: string[] }
  }
}

const EACH_MINUTE = '* * * * *'

/** Registers the mails of conversations and the deletion of their files. Call it before `jobs.start`. */
export function registerEnquiryJobs(deps: EnquiryDeps, mail: Mail): void {
  const { jobs } = deps
  jobs.handle('send-question-link', (data) => mailLink(deps, mail, data))
  jobs.handle('send-messages-mail', (data) => mailMessages(deps, mail, data))
  jobs.handle('send-reply-refused', (data) => mailRefusal(deps, mail, data))
  jobs.handle('delete-message-files', ({ keys }) => deleteUnusedFiles(deps, keys))
  jobs.handle('tell-of-messages', () => tellOfMessages(deps))
  jobs.schedule('tell-of-messages', EACH_MINUTE, {})
}
