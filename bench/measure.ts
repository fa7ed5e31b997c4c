import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { availableParallelism } from 'node:os'

/** What browsers send. */
const ACCEPT_ENCODING = 'gzip, deflate, br, zstd'

/** How Node runs the built product, as `npm start` does. */
export const RUN_SERVER = ['--input-type=module', '--eval', "await (await import('./server/run.ts')).run()"]

/** Whether server and load can be kept on cores of their own. */
const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0

export type Child = { process: ChildProcess; pid: number; ready: string; stop(): Promise<void> }

/**
 * Starts a Node process, on the first core when `pinned`.
 * @param isReady a line of its output after which it serves
 */
export function startChild(
  args: string[],
  options: { env?: Record<string, string>; isReady: RegExp; pinned?: boolean },
): Promise<Child> {
  const command = [process.execPath, ...args]
  if (options.pinned && canPin) command.unshift('taskset', '-c', '0')
  const [program = '', ...rest] = command
  const child = spawn(program, rest, {
    env: { PATH: process.env.PATH ?? '', ...options.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  return new Promise((resolve, reject) => {
    const ended = new Promise<void>((done) => child.once('exit', () => done()))
    child.once('exit', (code) => reject(new Error(`${rest.join(' ')} ended with ${code}: ${output}`)))
    child.stdout.on('data', function hear(chunk: Buffer) {
      output += chunk
      const ready = options.isReady.exec(output)?.[0]
      if (!ready) return
      // What it logs from now on is for whoever listens.
      child.stdout.off('data', hear).resume()
      resolve({
        process: child,
        // taskset becomes the program that it starts.
        pid: child.pid ?? 0,
        ready,
        async stop() {
          child.kill('SIGTERM')
          await ended
        },
      })
    })
  })
}

/** Keeps this process, which makes the load, off the servers' core; undone by the call that it returns. */
export function pinLoad(): () => void {
  if (!canPin) return () => {}
  const set = (cores: string) => spawnSync('taskset', ['-a', '-pc', cores, String(process.pid)])
  const all = `0-${availableParallelism() - 1}`
  set(`1-${availableParallelism() - 1}`)
  return () => set(all)
}

/** Processor time that a process has used in all its threads, where the machine tells (Linux). */
export function cpuMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const ns = threads.map((thread) => Number(readThread(pid, thread).split(' ')[0]))
  return ns.reduce((sum, used) => sum + used, 0) / 1e6
}

/** A thread may end between the two looks. */
function readThread(pid: number, thread: string): string {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')
  } catch {
    return '0'
  }
}

/** A process and those that it started, and theirs. */
export function processTree(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  return [pid, ...children.flatMap((child) => processTree(Number(child)))]
}

/** Memory that a process holds, and the most that it ever held. */
export function memoryMb(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const field = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  return { now: field('VmRSS'), peak: field('VmHWM') }
}

/**
 * Asks for one path again and again on kept-alive connections, each with one request at a time. Ends when the last
 * answer is there, so that nothing of it weighs on what is measured next.
 * @returns how many answers came
 */
export async function load(options: {
  port: number
  path: string
  connections: number
  ms: number
}): Promise<{ answers: number; perSecond: number }> {
  const request = Buffer.from(requestText(options.port, options.path))
  const started = performance.now()
  const until = started + options.ms
  const counts = await Promise.all(
    Array.from(
      { length: options.connections },
      () =>
        new Promise<number>((resolve) => {
          const socket = connect(options.port, '127.0.0.1', () => socket.write(request))
          let answers = 0
          readAnswers(socket, () => {
            answers++
            if (performance.now() < until) {
              socket.write(request)
              return
            }
            socket.destroy()
            resolve(answers)
          })
        }),
    ),
  )
  const answers = counts.reduce((sum, count) => sum + count, 0)
  return { answers, perSecond: (answers / (performance.now() - started)) * 1_000 }
}

/**
 * Asks at fixed moments, whether the answers before have come or not: else a server that stalls would be asked less
 * while it does.
 * @returns how long each answer took from the moment when it was due to be asked for, in ms
 */
export async function latencies(options: {
  port: number
  path: string
  everyMs: number
  ms: number
}): Promise<number[]> {
  const request = requestText(options.port, options.path)
  const idle: { ask(done: () => void): void }[] = []
  const sockets: Socket[] = []
  const open = () => {
    const socket = connect(options.port, '127.0.0.1')
    let answered = () => {}
    const one = {
      ask(done: () => void) {
        answered = done
        socket.write(request)
      },
    }
    readAnswers(socket, () => {
      idle.push(one)
      answered()
    })
    sockets.push(socket)
    return one
  }
  const answers: Promise<number>[] = []
  const started = performance.now()
  for (let due = started; due < started + options.ms; due += options.everyMs) {
    await new Promise((done) => setTimeout(done, Math.max(0, due - performance.now())))
    answers.push(new Promise((resolve) => (idle.pop() ?? open()).ask(() => resolve(performance.now() - due))))
  }
  const taken = await Promise.all(answers)
  for (const socket of sockets) socket.destroy()
  return taken
}

function requestText(port: number, path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nAccept-Encoding: ${ACCEPT_ENCODING}\r\nUser-Agent: bench\r\n\r\n`
}

/** Calls back for each whole answer with content-length or in chunks; anything but 200 is a mistake of the bench. */
function readAnswers(socket: Socket, onAnswer: () => void): void {
  let pieces: Buffer[] = []
  let received = 0
  let usual = 0
  socket.on('data', (chunk) => {
    pieces.push(chunk)
    received += chunk.length
    // Answers of the same length as the one before are whole: no need to read them.
    if (received !== usual && !isWhole()) return
    usual = received
    pieces = []
    received = 0
    onAnswer()
  })
  socket.on('error', (error) => {
    if (!socket.destroyed) throw error
  })
  function isWhole(): boolean {
    const answer = Buffer.concat(pieces)
    pieces = [answer]
    const end = answer.indexOf('\r\n\r\n')
    if (end < 0) return false
    const head = answer.toString('latin1', 0, end)
    if (!head.startsWith('HTTP/1.1 200')) throw new Error(`not answered: ${head}`)
    const length = /content-length: (\d+)/i.exec(head)?.[1]
    return length ? answer.length >= end + 4 + Number(length) : answer.subarray(-5).toString() === '0\r\n\r\n'
  }
}

export function median(values: readonly number[]): number {
  return percentile(values, 50)
}

export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
}
