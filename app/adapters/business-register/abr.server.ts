import { z } from 'zod'
import { isLocalDate } from '../../shared/dates.ts'
import { readTextWithin } from '../wire/limits.server.ts'
import type { BusinessRegister, RegisterFinding } from './port.ts'

const ADDRESS = 'https://abr.business.gov.au/json/AbnDetails.aspx'
const TIME_LIMIT_MS = 5_000
/** A business with a hundred names has some 5 kB. */
const MAX_ANSWER_CHARACTERS = 200_000
const CALLBACK = 'callback'
/** The register's message for an ABN whose digits are right and that nobody has. All others are refusals. */
const NO_RECORD = 'No record found'
/** The register's way to say 'never'. */
const NO_DATE = '0001-01-01'

const MAX_NAME_LENGTH = 500
const MAX_NAMES = 500
const name = z.string().trim().max(MAX_NAME_LENGTH)
const date = z
  .string()
  .nullable()
  .transform((text) => text?.slice(0, NO_DATE.length) ?? '')
  .transform((text) => (text === '' || text === NO_DATE ? null : text))
  .refine((text) => text === null || isLocalDate(text), 'is no date')

const answerSchema = z.object({ Abn: z.string(), Message: z.string().nullable() })
const entrySchema = z.object({
  AbnStatus: z.enum(['Active', 'Cancelled']),
  AbnStatusEffectiveFrom: date,
  EntityName: name,
  EntityTypeName: name,
  BusinessName: z.array(name).max(MAX_NAMES),
  Gst: date,
  AddressState: name,
})

/**
 * Asks the Australian Business Register by its ABN Lookup service. Each refusal of the service has status 200 and a message, so
 * only an answer that has the ABN itself counts.
 * @param options.guid identifies us to the service, which gives it out; secret
 * @param options.fetchAnswer limits the bytes
 * @param options.address replaces the service in tests
 */
export function createAbrRegister(options: {
  guid: string
  userAgent: string
  fetchAnswer: (url: URL, init: RequestInit) => Promise<Response>
  address?: string
  timeLimitMs?: number
}): BusinessRegister {
  return {
    async find(abn) {
      const url = new URL(options.address ?? ADDRESS)
      url.search = new URLSearchParams({ abn, guid: options.guid, callback: CALLBACK }).toString()
      try {
        const response = await options.fetchAnswer(url, {
          headers: { 'user-agent': options.userAgent },
          redirect: 'error',
          signal: AbortSignal.timeout(options.timeLimitMs ?? TIME_LIMIT_MS),
        })
        if (!response.ok) {
          await response.body?.cancel()
          return unanswered(`the register answered ${response.status}`)
        }
        return readAnswer((await readTextWithin(response, MAX_ANSWER_CHARACTERS)).trim(), abn)
      } catch (error) {
        // An error of the connection could name the address, and with it the GUID.
        return unanswered(error instanceof Error ? error.name : 'unknown error')
      }
    },
  }
}

const unanswered = (message: string): RegisterFinding => ({ ok: false, message })

/** Reads `callback({…})`. */
function readAnswer(text: string, abn: string): RegisterFinding {
  const opening = `${CALLBACK}(`
  const closing = [');', ')'].find((each) => text.endsWith(each))
  if (!text.startsWith(opening) || !closing)
    return unanswered('the register answered something else than JSONP')
  let value: unknown
  try {
    value = JSON.parse(text.slice(opening.length, -closing.length))
  } catch {
    return unanswered('the register answered no JSON')
  }
  const answer = answerSchema.safeParse(value)
  if (!answer.success) return unanswered('the register answered without an ABN and a message')
  const message = answer.data.Message?.trim() ?? ''
  if (message === NO_RECORD && answer.data.Abn === '') return { ok: true, entry: null }
  if (message !== '') return unanswered(`the register refused: ${message.slice(0, 200)}`)
  if (answer.data.Abn !== abn) return unanswered('the register answered about another ABN')
  const entry = entrySchema.safeParse(value)
  if (!entry.success)
    return unanswered(`the register answered with other fields: ${entry.error.issues[0]?.path.join('.')}`)
  const { data } = entry
  return {
    ok: true,
    entry: {
      status: data.AbnStatus === 'Active' ? 'active' : 'cancelled',
      statusSince: data.AbnStatusEffectiveFrom,
      entityName: data.EntityName,
      entityType: data.EntityTypeName,
      businessNames: data.BusinessName.filter((each) => each !== ''),
      gstSince: data.Gst,
      state: data.AddressState,
    },
  }
}
