import { buildReport, noteDownloaded } from '../../features/income-reports/commands.server.ts'
import { previewCsv, readReportFile, reportXml } from '../../features/income-reports/file-rules.ts'
import { findReportXml, listVendorTrades } from '../../features/income-reports/queries.server.ts'
import { logAction } from '../../features/operators/log-commands.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import type { Route } from './+types/tax-file'
import { requireOperator } from './operator.server.ts'

/** Sends a file of the income reports, and logs that first: it has names, dates of birth and addresses. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const operator = await requireOperator({ request, context })
  const { config, db, now, payouts } = context.get(servicesContext)
  const file = payouts ? readReportFile(params.file) : null
  if (!file) throw new Response('There is no such file.', { status: 404 })
  const text = await readText()
  if (text === null) throw new Response('There is no such file.', { status: 404 })
  await logAction(db, {
    ...{ operator, action: 'export-list', at: now() },
    subject: { kind: 'list', id: 'income-report', label: params.file },
  })
  return new Response(text, {
    headers: {
      'content-type': file.format === 'csv' ? 'text/csv; charset=utf-8' : 'application/xml; charset=utf-8',
      'content-disposition': `attachment; filename="${params.file}"`,
      'cache-control': 'private, no-store',
    },
  })

  async function readText(): Promise<string | null> {
    if (!file) return null
    if (file.format === 'csv') return previewCsv(await listVendorTrades(db, file.half))
    const { half, version } = file
    if (version !== null) {
      await noteDownloaded({ db, now }, { half, version })
      return (await findReportXml(db, { half, version }))?.xml ?? null
    }
    const { report, isSample } = await buildReport(db, config, half)
    return reportXml(report, isSample)
  }
}
