import { inflateSync } from 'node:zlib'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** Returns the text of a PDF as a reader's search and a screen reader find it: a line for each line of its pages. */
export async function readPdfText(bytes: Uint8Array): Promise<string> {
  const loading = getDocument({ data: new Uint8Array(bytes), verbosity: 0 })
  const pdf = await loading.promise
  const lines: string[] = []
  for (let number = 1; number <= pdf.numPages; number++) {
    const { items } = await (await pdf.getPage(number)).getTextContent()
    let lineY: number | null = null
    for (const item of items) {
      if (!('str' in item)) continue
      const y = Math.round(item.transform[5] as number)
      if (y === lineY) lines.push(`${lines.pop()}${item.str}`)
      else lines.push(item.str)
      lineY = y
    }
  }
  await loading.destroy()
  return lines.join('\n')
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** Returns the texts that a PDF gives with shapes which don't say their letters, such as joined Arabic ones. */
export function readActualTexts(bytes: Uint8Array): string[] {
  const pdf = Buffer.from(bytes)
  const texts: string[] = []
  for (let at = pdf.indexOf('stream\n'); at >= 0; at = pdf.indexOf('stream\n', at + 1)) {
    const content = inflated(pdf.subarray(at + 7))
    for (const [, text = ''] of content.matchAll(/\/ActualText \(\xfe\xff((?:\\[\s\S]|[^\\)])*)\)/g))
      texts.push(
        Buffer.from(
          text.replaceAll(/\\([\s\S])/g, (_, letter: string) => ESCAPES[letter] ?? letter),
          'latin1',
        )
          .swap16()
          .toString('utf16le'),
      )
  }
  return texts
}

function inflated(bytes: Buffer): string {
  try {
    return inflateSync(bytes).toString('latin1')
  } catch {
    // Not a compressed stream: 'endstream'.
    return ''
  }
}
