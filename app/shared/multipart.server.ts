import { openAsBlob } from 'node:fs'
import { MaxFileSizeExceededError, MultipartParser, type MultipartPart } from '@remix-run/multipart-parser'
import {
  MAX_BODY_BYTES,
  MAX_EPILOGUE_BYTES,
  MAX_FORM_FIELDS,
  MAX_PART_BYTES,
  MAX_PART_HEADER_BYTES,
} from './body-limits.ts'
import { noRoomForBody, tooLargeBody } from './body-refusals.ts'
import { isDiskFull, temporaryFiles } from './temporary-files.server.ts'

/**
 * Reads a multipart form, one part in memory at a time. Files over 64 kB are on disk until the request ends.
 * @returns null for a body that isn't such a form, or has too many parts or too long headers of a part
 * @throws a 413 response for a part that no form accepts
 */
export async function readMultipart(
  body: ReadableStream<Uint8Array> | null,
  boundary: string,
): Promise<FormData | null> {
  if (!body) return null
  const parser = new MultipartParser(boundary, {
    maxHeaderSize: MAX_PART_HEADER_BYTES,
    maxFileSize: MAX_PART_BYTES,
    maxParts: MAX_FORM_FIELDS,
    // The server has limited the body as a whole.
    maxTotalSize: Number.POSITIVE_INFINITY,
  })
  const form = new FormData()
  try {
    for await (const piece of inPieces(body))
      for (const part of parser.write(piece)) {
        const disposition = readDisposition(part.headers['content-disposition'] ?? '')
        const name = disposition?.get('name')
        if (!disposition || name === undefined) return null
        const fileName = disposition.get('filename')
        if (fileName === undefined) form.append(name, new TextDecoder().decode(part.bytes))
        else form.append(name, await fileOf(part, fileName))
      }
    parser.finish()
    return form
  } catch (error) {
    if (error instanceof MaxFileSizeExceededError) throw tooLargeBody()
    if (isDiskFull(error)) throw noRoomForBody('process')
    return null
  }
}

/**
 * Joins a body's chunks, because the parser copies an unfinished header with each chunk. Keeps back the last kilobyte, so
 * that the parser gets the last boundary together with its line break: it accepts no chunk after that boundary.
 */
async function* inPieces(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    held.push(chunk)
    bytes += chunk.byteLength
    if (bytes < MAX_BODY_BYTES + MAX_EPILOGUE_BYTES) continue
    const all = Buffer.concat(held)
    yield all.subarray(0, -MAX_EPILOGUE_BYTES)
    held = [all.subarray(-MAX_EPILOGUE_BYTES)]
    bytes = MAX_EPILOGUE_BYTES
  }
  if (bytes > 0) yield Buffer.concat(held)
}

async function fileOf(part: MultipartPart, fileName: string): Promise<File> {
  const type = part.headers['content-type'] ?? ''
  const files = temporaryFiles.getStore()
  if (!files || part.size <= MAX_BODY_BYTES) return new File([part.bytes as BlobPart], fileName, { type })
  return new File([await openAsBlob(await files.write(part.content))], fileName, { type })
}

/** One parameter of a Content-Disposition header. */
const PARAMETER = /\s*;\s*([\w*-]+)=(?:"([^"]*)"|([^\s;"]*))/y
const ESCAPED = /%(?:22|0D|0A)/gi

/**
 * Reads the parameters of a part's Content-Disposition header, as browsers write it: a quote or a line break of a name is
 * percent-encoded, and a backslash is a backslash.
 * @returns null for any other header
 */
function readDisposition(header: string): Map<string, string> | null {
  const type = /^form-data/i.exec(header)
  if (!type) return null
  const found = new Map<string, string>()
  PARAMETER.lastIndex = type[0].length
  let end = PARAMETER.lastIndex
  for (let match = PARAMETER.exec(header); match; match = PARAMETER.exec(header)) {
    const [, name = '', quoted, bare = ''] = match
    const value = (quoted ?? bare).replace(ESCAPED, (code) => decodeURIComponent(code))
    found.set(name.toLowerCase(), value)
    end = PARAMETER.lastIndex
  }
  return header.slice(end).trim() === '' ? found : null
}
