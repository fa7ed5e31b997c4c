import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { availableParallelism } from 'node:os'

/** The header that browsers send. */
const ACCEPT_ENCODING = 'gzip, deflate, br, zstd'

/** Node's arguments to run the built product, as `npm start` does. */
export const RUN_SERVER = ['--input-type=module', '--eval', "await (await import('./server/run.ts')).run()"]

/** Whether server and load can be pinned to separate cores. */
const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0

export type Child = { process: ChildProcess; pid: number; ready: string; stop(): Promise<void> }

/**
 * Starts a Node process, on the first core when `pinned`.
 * @param options.isReady matches the line of its output that shows that it serves
 */
export function startChild(
  args: string[],
  options: { env?: Record<string, string>; isReady: RegExp; pinned?: boolean; cwd?: string },
): Promise<Child> {
  const command = [process.execPath, ...args]
  if (options.pinned && canPin) command.unshift('taskset', '-c', '0')
  const [program = '', ...rest] = command
  const child = spawn(program, rest, {
    env: { PATH: process.env.PATH ?? '', ...options.env },
    ...(options.cwd ? { cwd: options.cwd } : {}),
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
      // Drains later output, or the child would block on a full pipe.
      child.stdout.off('data', hear).resume()
      resolve({
        process: child,
        // taskset replaces itself with the program, so the pid is the program's.
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

/** Moves this process, which generates the load, off the servers' core. Returns a function that undoes it. */
export function pinLoad(): () => void {
  if (!canPin) return () => {}
  const set = (cores: string) => spawnSync('taskset', ['-a', '-pc', cores, String(process.pid)])
  const all = `0-${availableParallelism() - 1}`
  set(`1-${availableParallelism() - 1}`)
  return () => set(all)
}

/** The processor time that a process has used in all its threads, in ms. Linux only. */
export function cpuMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const ns = threads.map((thread) => Number(readThread(pid, thread).split(' ')[0]))
  return ns.reduce((sum, used) => sum + used, 0) / 1e6
}

/** The processor time that a process has used in its main thread, in ms. Linux only. */
export function mainThreadMs(pid: number): number {
  return Number(readThread(pid, String(pid)).split(' ')[0]) / 1e6
}

/** A thread may end between the listing and the read. */
function readThread(pid: number, thread: string): string {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')
  } catch {
    return '0'
  }
}

/** The ids of a process and all its descendants. */
export function processTree(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  return [pid, ...children.flatMap((child) => processTree(Number(child)))]
}

/** A process's resident memory, now and at its peak, in MB. */
export function memoryMb(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const field = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  return { now: field('VmRSS'), peak: field('VmHWM') }
}

/**
 * Requests one path repeatedly on keep-alive connections, each with one request at a time. Ends with the last response,
 * so that no request affects the next measurement.
 * @param options.header makes a header line for each request
 * @returns the number of responses, in total and per second
 */
export async function load(options: {
  port: number
  path: string
  connections: number
  ms: number
  header?: () => string
}): Promise<{ answers: number; perSecond: number }> {
  const { header } = options
  const same = Buffer.from(requestText(options.port, options.path))
  const nextRequest = () => (header ? requestText(options.port, options.path, header()) : same)
  const started = performance.now()
  const until = started + options.ms
  const counts = await Promise.all(
    Array.from(
      { length: options.connections },
      () =>
        new Promise<number>((resolve) => {
          const socket = connect(options.port, '127.0.0.1', () => socket.write(nextRequest()))
          let answers = 0
          readAnswers(socket, () => {
            answers++
            if (performance.now() < until) {
              socket.write(nextRequest())
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
 * Sends requests at fixed times, whether earlier responses have come or not. Otherwise a stalled server would get fewer
 * requests while it stalls.
 * @returns the time of each response from the moment when its request was due, in ms
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

function requestText(port: number, path: string, header = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nAccept-Encoding: ${ACCEPT_ENCODING}\r\nUser-Agent: bench\r\n${header && `${header}\r\n`}\r\n`
}

/** Calls back for each complete response, with content-length or chunked. Any status but 200 is a bug of the bench. */
function readAnswers(socket: Socket, onAnswer: () => void): void {
  let pieces: Buffer[] = []
  let received = 0
  let usual = 0
  socket.on('data', (chunk) => {
    pieces.push(chunk)
    received += chunk.length
    // A response of the same length as the previous one is complete, so it needs no parsing.
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

/**
 * Which databases a bench measures: all, or the database of this setting.
 * @param setting such as 'LOAD_ON'
 */
export function chosenBy(setting: string): (name: string) => boolean {
  const only = process.env[setting]
  return (name) => !only || only === name
}

export function median(values: readonly number[]): number {
  return percentile(values, 50)
}

export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
}
