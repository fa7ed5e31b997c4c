import type { ChildProcess } from 'node:child_process'

/** @returns the code that a process ended with, null where it never began, and all that it wrote */
export async function readToEnd(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, output: String(error) }))
    child.once('close', (code) => resolve({ code, output }))
  })
}
