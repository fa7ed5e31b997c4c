import { z } from 'zod'
import { brokenForm, MAX_BODY_BYTES, tooLargeBody } from './body-refusals.ts'
import { hasOnlyKnownFields } from './form-fields.ts'

/**
 * Where to go after signing in: only a path of our own, never another site.
 * @returns the path with every letter encoded that an address does not have, or the fallback for anything else
 */
export function ownPath(target: string | null | undefined, fallback: string): string {
  // Browsers read a backslash as a slash and drop line breaks: both can turn a path into another site.
  if (!target?.startsWith('/') || /[\\\p{Cc}]/u.test(target)) return fallback
  if (!URL.canParse(target, SOME_SITE)) return fallback
  // A header can't hold the letters that an address may: this is how they are written in one.
  const { origin, pathname, search, hash } = new URL(target, SOME_SITE)
  // '/..//elsewhere.example' has become '//elsewhere.example' by now.
  if (origin !== SOME_SITE || pathname.startsWith('//')) return fallback
  return pathname + search + hash
}

const SOME_SITE = 'http://localhost'

const MAX_FORM_FIELDS = 200

/** Says which of an action's forms was sent. */
export const intentSchema = z.object({ intent: z.string() })

/**
 * Reads a posted form. It is the only place of the server that does: a library that builds objects from names such as
 * `a[4294967294]` must only ever see the names of the schema.
 * @param schema the form's schema, or one for each form that the action takes; none for a button alone
 * @throws a 400 answer for a body that is no form, has too many fields, or has a name that the schemas do not; 413 for
 *   more text than any form has
 */
export async function readForm(
  request: Request,
  schema: z.ZodType | readonly z.ZodType[],
): Promise<FormData> {
  const form = await readFields(request)
  if (!form || !hasOnlyKnownFields(form, [schema].flat())) throw brokenForm()
  let length = 0
  for (const [, value] of form) length += typeof value === 'string' ? value.length : 0
  if (length > MAX_BODY_BYTES) throw tooLargeBody()
  return form
}

/** The fields of a form, counted before they are parsed. @returns null for anything else */
async function readFields(request: Request): Promise<FormData | null> {
  const type = request.headers.get('content-type') ?? ''
  const boundary = MULTIPART.exec(type)?.[1]
  try {
    if (boundary) return await readMultipart(new Uint8Array(await request.arrayBuffer()), boundary)
    const text = await request.text()
    const isForm = text === '' || type.toLowerCase().startsWith('application/x-www-form-urlencoded')
    return isForm && countUpTo(MAX_FORM_FIELDS, text, '&') < MAX_FORM_FIELDS ? readUrlEncoded(text) : null
  } catch {
    return null
  }
}

/** RFC 2046, 5.1.1, with or without quotes. */
const MULTIPART = /^multipart\/form-data\s*;\s*boundary="?([\w'()+,\-./:=?]{1,70})"?\s*$/i

function readUrlEncoded(text: string): FormData {
  const form = new FormData()
  for (const [name, value] of new URLSearchParams(text)) form.append(name, value)
  return form
}

async function readMultipart(bytes: Uint8Array<ArrayBuffer>, boundary: string): Promise<FormData | null> {
  // One character for each byte, so the parser finds no boundary that is not counted here.
  const text = new TextDecoder('latin1').decode(bytes)
  // The last boundary ends the form.
  if (countUpTo(MAX_FORM_FIELDS + 2, text, `--${boundary}`) > MAX_FORM_FIELDS + 1) return null
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` }
  return new Response(bytes, { headers }).formData()
}

function countUpTo(max: number, text: string, part: string): number {
  let count = 0
  for (let at = text.indexOf(part); at >= 0 && count < max; at = text.indexOf(part, at + part.length)) count++
  return count
}
