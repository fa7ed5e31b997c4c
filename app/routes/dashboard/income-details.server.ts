import { data, type RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { mayWrite } from '../../features/accounts/commands.server.ts'
import { saveDetails, saveProperty } from '../../features/income-reports/commands.server.ts'
import type { AskedOfVendor, DetailsAnswer } from '../../features/income-reports/components/details-block.tsx'
import {
  type AskedDetail,
  DETAIL_FAILURES,
  DETAIL_LABELS,
  DETAILS_EMPTY,
  SAVED,
} from '../../features/income-reports/messages.ts'
import { findAnswers, findNeeds } from '../../features/income-reports/queries.server.ts'
import { type Detail, isComplete, REPORT_ZONE } from '../../features/income-reports/rules.ts'
import { detailsSchema, propertySchema } from '../../features/income-reports/schema.ts'
import { servicesContext } from '../../request-context.server.ts'
import { wallTimeAt } from '../../shared/dates.ts'

type Context = Readonly<RouterContextProvider>

/** Finds what the next report needs of a vendor; null for one whom it won't have. */
export async function findAsked(context: Context, userId: string): Promise<AskedOfVendor | null> {
  const { db, now } = context.get(servicesContext)
  const needs = await findNeeds(db, userId, now())
  if (!needs) return null
  const answers = await findAnswers(db, userId)
  const isAsked = new Set(needs.missingProperties.map(({ businessId }) => businessId))
  return {
    isComplete: isComplete(needs),
    details: needs.missing.filter(isAskedDetail),
    properties: needs.missingProperties,
    answers: {
      details: answers.details.flatMap(({ detail, value }) =>
        isAskedDetail(detail) && !needs.missing.includes(detail) ? [{ detail, value }] : [],
      ),
      properties: answers.properties.filter(({ businessId }) => !isAsked.has(businessId)),
    },
  }
}

const isAskedDetail = (detail: Detail): detail is AskedDetail => Object.hasOwn(DETAIL_LABELS, detail)

/** Saves the details that a vendor was asked for. @param form posted by the block */
export async function saveAskedDetails(context: Context, userId: string, form: FormData) {
  const { db, now, rateLimits } = context.get(servicesContext)
  if (!(await mayWrite(rateLimits, userId))) return refuse(DETAIL_FAILURES.too_often, 429)
  const values = Object.fromEntries(form)
  if (form.get('intent') === 'save-property') {
    const parsed = propertySchema.safeParse(values)
    if (!parsed.success) return refuseFields(parsed.error)
    const { businessId, property: address } = parsed.data
    const saved = await saveProperty({ db, now }, userId, { businessId, address })
    return saved.ok ? done() : refuse(DETAIL_FAILURES.not_found, 404)
  }
  const parsed = detailsSchema(wallTimeAt(now(), REPORT_ZONE).date).safeParse(values)
  if (!parsed.success) return refuseFields(parsed.error)
  const missing = Object.keys(DETAIL_LABELS).filter(
    (detail) => form.has(detail) && parsed.data[detail as AskedDetail] === '',
  )
  if (missing.length > 0 || !Object.values(parsed.data).some(Boolean))
    return answer(
      {
        ok: false,
        message: DETAILS_EMPTY,
        errors: Object.fromEntries(missing.map((each) => [each, DETAILS_EMPTY])),
      },
      422,
    )
  await saveDetails({ db, now }, userId, parsed.data)
  return done()
}

const answer = (body: DetailsAnswer, status: number) => data<DetailsAnswer>(body, { status })
const done = () => answer({ ok: true, message: SAVED }, 200)
const refuse = (message: string, status: number) => answer({ ok: false, message }, status)

function refuseFields(error: z.ZodError) {
  const { fieldErrors } = z.flattenError(error)
  const errors: Record<string, string> = {}
  for (const [name, messages] of Object.entries(fieldErrors as Record<string, string[] | undefined>))
    if (messages?.[0]) errors[name] = messages[0]
  return answer({ ok: false, message: Object.values(errors)[0] ?? DETAILS_EMPTY, errors }, 422)
}
