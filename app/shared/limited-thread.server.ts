import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'

/** The bounds of one input's work in a thread, beyond which the thread is terminated. */
export type ThreadLimits = {
  ms: number
  /** The thread's JavaScript heap, in MB. */
  heapMb: number
  /** The thread's typed arrays and buffers, in MB. They are outside the heap, so V8's own limits don't count them. */
  bufferMb: number
}

export type ThreadAnswer<Answer> =
  | { ok: true; answer: Answer }
  | { ok: false; reason: 'too_slow' | 'too_large' }

/** Inflating takes tens of milliseconds for the megabytes between two looks. */
const LOOK_EVERY_MS = 50
const BYTES_PER_MB = 1_048_576

/**
 * Finds the file that a thread starts from: beside the bundle in a build (vite.config.ts), beside its caller in the sources.
 * @param caller the caller's `import.meta.url`
 * @param name the file's name without its ending
 */
export function threadFile(caller: string, name: string): string {
  return fileURLToPath(new URL(`./${name}${caller.endsWith('.ts') ? '.ts' : '.js'}`, caller))
}

/**
 * Runs a file of ours on strangers' inputs, in threads that an input can't keep busy or fill. A thread has no environment
 * variables, and answers each message with one.
 * @param file what the threads run (`threadFile`)
 * @param idleMs how long a thread waits for the next input after an answer; 0 for a new thread for each input
 * @returns a function that sends an input, and throws any error of the thread itself, which is a bug
 */
export function createLimitedThreads<Input, Answer>(file: string, { idleMs = 0 }: { idleMs?: number } = {}) {
  const idle: { worker: Worker; wake(): void }[] = []

  /** @returns a thread, and the bytes outside its heap that it still holds from inputs before */
  async function takeWorker(heapMb: number): Promise<{ worker: Worker; heldBytes: number }> {
    const waiting = idle.pop()
    if (waiting) {
      waiting.wake()
      // Rejects if it has ended just now.
      const held = await waiting.worker.getHeapStatistics().catch(() => null)
      if (held) return { worker: waiting.worker, heldBytes: held.external_memory }
    }
    const limits = { maxOldGenerationSizeMb: heapMb }
    // Without the flags of this process, some of which a thread refuses, such as --input-type.
    const worker = new Worker(file, { env: {}, execArgv: [], resourceLimits: limits })
    // A thread may fail while it is being terminated. Without a listener, that would end this process.
    worker.on('error', () => {})
    return { worker, heldBytes: 0 }
  }

  function leaveIdle(worker: Worker) {
    const end = () => {
      wake()
      idle.splice(0, idle.length, ...idle.filter((each) => each.worker !== worker))
      void worker.terminate()
    }
    // An idle thread keeps no process running, and its end is nobody's failure.
    const timer = setTimeout(end, idleMs).unref()
    worker.unref()
    const stopListening = listenTo(worker, { error: end, exit: end })
    const wake = () => {
      clearTimeout(timer)
      stopListening()
      worker.ref()
    }
    idle.push({ worker, wake })
  }

  return async (input: Input, limits: ThreadLimits): Promise<ThreadAnswer<Answer>> => {
    const { worker, heldBytes } = await takeWorker(limits.heapMb)
    const maxBytes = heldBytes + limits.bufferMb * BYTES_PER_MB
    return new Promise((resolve, reject) => {
      // A look that is answered late mustn't end the thread of the next input.
      let isLooking = true
      const stopLooking = () => {
        isLooking = false
        clearTimeout(timer)
        clearInterval(looks)
        stopListening()
      }
      const end = () => {
        stopLooking()
        void worker.terminate()
      }
      const refuse = (reason: 'too_slow' | 'too_large') => {
        end()
        resolve({ ok: false, reason })
      }
      const timer = setTimeout(() => refuse('too_slow'), limits.ms)
      const looks = setInterval(async () => {
        // Rejects once the thread has ended, whose answer is then known.
        const found = await worker.getHeapStatistics().catch(() => null)
        if (isLooking && found && found.external_memory > maxBytes) refuse('too_large')
      }, LOOK_EVERY_MS)
      const stopListening = listenTo(worker, {
        message(answer) {
          if (idleMs > 0) {
            stopLooking()
            leaveIdle(worker)
          } else end()
          resolve({ ok: true, answer: answer as Answer })
        },
        error(error) {
          const { code } = error as NodeJS.ErrnoException
          if (code === 'ERR_WORKER_OUT_OF_MEMORY') return refuse('too_large')
          end()
          reject(error)
        },
        exit() {
          end()
          reject(new Error('The thread ended without an answer.'))
        },
      })
      worker.postMessage(input)
    })
  }
}

/** Listens to a thread's events. @returns stops listening; Node's own listeners stay, which deliver the messages */
function listenTo(worker: Worker, listeners: Record<string, (value: unknown) => void>): () => void {
  for (const [event, listener] of Object.entries(listeners)) worker.on(event, listener)
  return () => {
    for (const [event, listener] of Object.entries(listeners)) worker.off(event, listener)
  }
}
