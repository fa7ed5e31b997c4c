import { openAccountantLink } from '../../features/tax/accountant-queries.server.ts'
import { readMonthFile } from '../../features/tax/accountant-rules.ts'
import {
  findMonthDocument,
  listMonthDocuments,
  type MonthOfAccountant,
} from '../../features/tax/queries.server.ts'
import { readDocumentFile } from '../../features/tax/rules.ts'
import { xeroCsv } from '../../features/tax/xero-rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import { sendTaxDocument } from '../send-tax-document.server.ts'
import type { Route } from './+types/accountant-file'

/** A file of a vendor's month for their accountant, while the link of the month's mail is open. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { config, db, now } = context.get(servicesContext)
  const link = await openAccountantLink({ db, now, secret: config.secret }, params.token)
  const response = link?.about === 'month' && link.state === 'open' ? await readFile(link) : null
  return response ?? new Response('There is no such file.', { status: 404 })

  async function readFile({ userId, month, late }: MonthOfAccountant): Promise<Response | null> {
    const of = { userId, month, late }
    const file = readDocumentFile(params.file)
    if (file) {
      const document = await findMonthDocument(db, { ...of, ...file })
      return document && sendTaxDocument(document, file.format)
    }
    const subject = readMonthFile(params.file)
    const documents = subject ? await listMonthDocuments(db, { ...of, subject }) : []
    if (!subject || documents.length === 0) return null
    const name = `${subject === 'sale' ? 'sales' : 'commission'}-${month}.csv`
    return new Response(xeroCsv(documents), {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'private, no-store',
        'x-robots-tag': 'noindex',
      },
    })
  }
}
