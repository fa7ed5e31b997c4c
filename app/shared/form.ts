import { z } from 'zod'
import { MAX_BODY_BYTES, MAX_FORM_FIELDS } from './body-limits.ts'
import { brokenForm, tooLargeBody } from './body-refusals.ts'
import { fieldRulesOf, hasOnlyKnownFields } from './form-fields.ts'
import { readMultipart } from './multipart.server.ts'
import { parseUrl } from './parse-url.ts'

/**
 * Checks the path to open after signing in, which must never lead to another site.
 * @returns the path, percent-encoded, or the fallback for any other target
 */
export function ownPath(target: string | null | undefined, fallback: string): string {
  // Browsers read a backslash as a slash and drop line breaks. Both can turn a path into another site.
  if (!target?.startsWith('/') || /[\\\p{Cc}]/u.test(target)) return fallback
  const parsed = parseUrl(target, SOME_SITE)
  if (!parsed) return fallback
  // A Location header can't contain non-ASCII characters, so encode them.
  const { origin, pathname, search, hash } = parsed
  // '/..//elsewhere.example' has already become '//elsewhere.example'.
  if (origin !== SOME_SITE || pathname.startsWith('//')) return fallback
  return pathname + search + hash
}

const SOME_SITE = 'http://localhost'

/** The field that names which of an action's forms was sent. */
export const intentSchema = z.object({ intent: z.string() })

/**
 * Reads a posted form. No other code on the server does: the library that builds objects from names such as
 * `a[4294967294]` must only ever see the names of the schema.
 * @param schema the form's schema, or one per form that the action accepts; an empty list for a mere button
 * @throws a 400 response for a body that isn't a form, has too many fields, a name outside the schemas, or a NUL
 *   where the schema lets it through, as in a hidden id: the database refuses it; a 413 response for more text than any
 *   form has
 */
export async function readForm(
  request: Request,
  schema: z.ZodType | readonly z.ZodType[],
): Promise<FormData> {
  const form = await readFields(request)
  const schemas = [schema].flat()
  if (!form || !hasOnlyKnownFields(form, schemas)) throw brokenForm()
  let length = 0
  for (const [name, value] of form) {
    if (typeof value !== 'string') continue
    if (value.includes('\0') && isAccepted(schemas, name, value)) throw brokenForm()
    length += value.length
  }
  if (length > MAX_BODY_BYTES) throw tooLargeBody()
  return form
}

/** Whether no schema has anything against this value. Otherwise, the action answers with a message at the field. */
function isAccepted(schemas: readonly z.core.$ZodType[], name: string, value: string): boolean {
  return schemas
    .flatMap((schema) => fieldRulesOf(schema).get(name) ?? [])
    .every((rule) => z.core.safeParse(rule.schema, value).success)
}

/** Reads a form's fields, which are counted before they are parsed. @returns null for any other body */
async function readFields(request: Request): Promise<FormData | null> {
  const type = request.headers.get('content-type') ?? ''
  const boundary = MULTIPART.exec(type)?.[1]
  try {
    if (boundary) return await readMultipart(request.body, boundary)
    const text = await request.text()
    const isForm = text === '' || type.toLowerCase().startsWith('application/x-www-form-urlencoded')
    return isForm && countUpTo(MAX_FORM_FIELDS, text, '&') < MAX_FORM_FIELDS ? readUrlEncoded(text) : null
  } catch (error) {
    if (error instanceof Response) throw error
    return null
  }
}

/** A boundary by RFC 2046, 5.1.1, with or without quotes. */
const MULTIPART = /^multipart\/form-data\s*;\s*boundary="?([\w'()+,\-./:=?]{1,70})"?\s*$/i

function readUrlEncoded(text: string): FormData {
  const form = new FormData()
  for (const [name, value] of new URLSearchParams(text)) form.append(name, value)
  return form
}

function countUpTo(max: number, text: string, part: string): number {
  let count = 0
  for (let at = text.indexOf(part); at >= 0 && count < max; at = text.indexOf(part, at + part.length)) count++
  return count
}
