import type { RouterContextProvider } from 'react-router'
import { findVendorZone } from '../../features/businesses/owner-queries.server.ts'
import { earningsCsv } from '../../features/payouts/earning-csv-rules.ts'
import { findFirstMonth, listAllEarnings } from '../../features/payouts/earning-queries.server.ts'
import { drawStatement } from '../../features/payouts/statement-pdf.server.ts'
import { findStatement } from '../../features/payouts/statement-queries.server.ts'
import { isMonth } from '../../features/payouts/statement-rules.ts'
import { findOwnRegistration } from '../../features/registrations/queries.server.ts'
import { findVendorDocument, listQuarterDocuments } from '../../features/tax/queries.server.ts'
import { readDocumentFile, readXeroFile } from '../../features/tax/rules.ts'
import { xeroCsv } from '../../features/tax/xero-rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import { wallTimeAt } from '../../shared/dates.ts'
import { findSession, requireSession } from '../require-session.server.ts'
import { sendTaxDocument } from '../send-tax-document.server.ts'
import type { Route } from './+types/payout-resource'
import { refreshOnboarding } from './payout-refresh.server.ts'
import { payoutProviderOf } from './payouts-on.server.ts'

type Context = Readonly<RouterContextProvider>
type User = { uid: string; displayName: string | null; email: string }

/**
 * The payout addresses that aren't screens: the provider's way back to a fresh form, and the signed-in vendor's files. The files
 * are all bookings with their money as CSV, a month's statement as PDF, tax documents and what Xero imports of them. One route, since each route costs every page some
 * bytes.
 */
export async function loader({ params, request, context, url }: Route.LoaderArgs) {
  if (payoutProviderOf(context.get(servicesContext).config) === null) {
    // Documents that were issued before payouts were switched off.
    const session = await findSession({ request, context })
    const kept = session && (await sendTaxFile(context, session.user.uid, params.resource))
    return kept ?? new Response('There is no such file.', { status: 404 })
  }
  if (params.resource === 'refresh') return refreshOnboarding({ request, context, url })
  const { user } = await requireSession({ request, url, context })
  if (params.resource === 'bookings.csv') return sendBookings(context, user)
  const month = /^statement-([\d-]+)\.pdf$/.exec(params.resource)?.[1]
  const statement = month && isMonth(month) ? await sendStatement(context, user, month) : null
  const file = statement ?? (await sendTaxFile(context, user.uid, params.resource))
  return file ?? new Response('There is no such file.', { status: 404 })
}

async function sendBookings(context: Context, { uid }: User): Promise<Response> {
  const { db, config, now } = context.get(servicesContext)
  const earnings = await listAllEarnings(db, { userId: uid, now: now(), delayMs: config.payoutDelayMs })
  return send(earningsCsv(earnings), 'text/csv; charset=utf-8', 'attachment; filename="payouts.csv"')
}

/** @returns null for a month before the vendor's first money, or to come */
async function sendStatement(context: Context, user: User, month: string): Promise<Response | null> {
  const { db, config, now } = context.get(servicesContext)
  const timeZone = await findVendorZone(db, user.uid)
  const first = await findFirstMonth(db, { userId: user.uid, timeZone })
  const thisMonth = wallTimeAt(now(), timeZone).date.slice(0, 7)
  if (!first || month < first || month > thisMonth) return null
  const [statement, registration] = await Promise.all([
    findStatement(db, { userId: user.uid, timeZone, month }),
    findOwnRegistration(db, user.uid),
  ])
  const pdf = await drawStatement(
    statement,
    {
      name: registration?.businessName || user.displayName || user.email,
      abn: registration?.abn || null,
    },
    { brand: config.brand, host: config.publicUrl.host, abn: config.platform.abn },
  )
  const body = pdf as Uint8Array<ArrayBuffer>
  return send(body, 'application/pdf', `inline; filename="statement-${month}.pdf"`)
}

/** @returns null for a document that isn't this vendor's, and for a quarter without any */
async function sendTaxFile(context: Context, userId: string, name: string): Promise<Response | null> {
  const { db } = context.get(servicesContext)
  const file = readDocumentFile(name)
  if (file) {
    const document = await findVendorDocument(db, { userId, ...file })
    return document && sendTaxDocument(document, file.format)
  }
  const xero = readXeroFile(name)
  const documents = xero ? await listQuarterDocuments(db, { userId, ...xero }) : []
  if (documents.length === 0) return null
  return send(xeroCsv(documents), 'text/csv; charset=utf-8', `attachment; filename="${name}"`)
}

function send(body: BodyInit, type: string, disposition: string): Response {
  return new Response(body, {
    headers: {
      'content-type': type,
      'content-disposition': disposition,
      'cache-control': 'private, no-store',
    },
  })
}
