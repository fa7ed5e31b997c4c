import { isDict, isName, isRef, type PdfDict, type PdfObjects, type PdfValue } from './objects.ts'

/**
 * Keys that hold a script, an attached file, media or a form of another kind (ISO 32000-2: 12.6.4.17, 7.7.4, 7.11.4, 13.7;
 * XFA in ISO 32000-1, 12.7.8), the file of a reference XObject (8.10.4), or encryption (7.6).
 */
const ACTIVE_KEYS = [
  'JS',
  'JavaScript',
  'OpenAction',
  'EF',
  'EmbeddedFiles',
  'RichMediaContent',
  'RichMediaSettings',
  'XFA',
  'Encrypt',
]
/** Keys of a stream whose data is in another file (ISO 32000-2, 7.3.8.2), and of a reference XObject. */
const OUTSIDE_KEYS = ['F', 'FFilter', 'FDecodeParms', 'Ref']
/** Actions that start, send, play or open something outside the document (ISO 32000-2, 12.6.4). */
const ACTIVE_ACTIONS = [
  'JavaScript',
  'Launch',
  'SubmitForm',
  'ImportData',
  'Rendition',
  'Movie',
  'Sound',
  'GoToR',
  'GoToE',
  'GoTo3DView',
  'RichMediaExecute',
]
/** Annotations that play or hold something, and PostScript (ISO 32000-2, 12.5.6 and 8.10.2). */
const ACTIVE_SUBTYPES = ['RichMedia', 'Movie', 'Sound', 'Screen', '3D', 'FileAttachment', 'PS']
const SCHEMES = ['http', 'https', 'mailto', 'tel']
/** Steps from a reference to its value. */
const MAX_STEPS = 10

/** Whether one of the objects of a PDF is a program, starts one, or holds a file. */
export function hasProgram({ objects, trailer }: PdfObjects): boolean {
  const resolve = (value: PdfValue | undefined): PdfValue | undefined => {
    let found = value
    for (let step = 0; isRef(found); step++) {
      // A loop is no value, and no reader follows it.
      if (step === MAX_STEPS) return null
      found = objects.get(found.ref) ?? null
    }
    return found
  }
  const isOneOf = (value: PdfValue | undefined, names: readonly string[]) => {
    const found = resolve(value)
    return isName(found) && names.includes(found.name)
  }
  const hasAction = (value: PdfValue | undefined) => {
    const found = resolve(value)
    return isDict(found) && [...found.dict.values()].some((each) => isAction(resolve(each)))
  }
  const isActive = ({ dict, isStream }: PdfDict) =>
    ACTIVE_KEYS.some((key) => dict.has(key)) ||
    (isStream && OUTSIDE_KEYS.some((key) => dict.has(key))) ||
    isOneOf(dict.get('S'), ACTIVE_ACTIONS) ||
    isOneOf(dict.get('Subtype'), ACTIVE_SUBTYPES) ||
    isOneOf(dict.get('Type'), ['EmbeddedFile']) ||
    hasAction(dict.get('AA')) ||
    (isOneOf(dict.get('S'), ['URI']) && !isSafeAddress(resolve(dict.get('URI'))))

  const waiting: PdfValue[] = [trailer, ...objects.values()]
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (Array.isArray(value)) for (const each of value) waiting.push(each)
    else if (isDict(value)) {
      if (isActive(value)) return true
      for (const each of value.dict.values()) waiting.push(each)
    }
  }
  return false
}

const isAction = (value: PdfValue | undefined) => isDict(value) && value.dict.has('S')

/** Whether the address of a link leads to the web, a mail or a call, or is relative: no script and no file. */
function isSafeAddress(value: PdfValue | undefined): boolean {
  if (typeof value !== 'object' || value === null || !('text' in value)) return false
  // Programs drop spaces and controls before they read the scheme.
  const address = value.text.replace(/[\0-\x20\x7f]/g, '')
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase()
  // A number of a port follows the name of a host that has no scheme: 'example.com:8080'.
  if (scheme !== undefined) return SCHEMES.includes(scheme) || isHostWithPort(address)
  return /^[a-z0-9#?.]/i.test(address) || address === ''
}

function isHostWithPort(address: string): boolean {
  const [host = '', rest = ''] = address.split(':', 2)
  return !host.includes('/') && host.slice(1, -1).includes('.') && /^\d/.test(rest)
}
