import { fileURLToPath } from 'node:url'
import { type Transferable, Worker } from 'node:worker_threads'

/** The bounds of one thread, beyond which it is terminated. */
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
 * Runs a file of ours on a stranger's input, in a thread of its own that the input can't keep busy or fill. The thread answers
 * with one message and has no environment variables.
 * @param input copied to the thread as its `workerData`
 * @throws any error of the thread itself, which is a bug
 */
export function runInThread<Answer>(
  file: string,
  input: unknown,
  limits: ThreadLimits,
  { transfer = [] }: { transfer?: Transferable[] } = {},
): Promise<ThreadAnswer<Answer>> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(file, {
      workerData: input,
      transferList: transfer,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb },
    })
    const end = () => {
      clearTimeout(timer)
      clearInterval(looks)
      void worker.terminate()
    }
    const endWith = (answer: ThreadAnswer<Answer>) => {
      end()
      resolve(answer)
    }
    const timer = setTimeout(() => endWith({ ok: false, reason: 'too_slow' }), limits.ms)
    const looks = setInterval(async () => {
      // Rejects once the thread has ended, whose answer is then known.
      const found = await worker.getHeapStatistics().catch(() => null)
      if (found && found.external_memory > limits.bufferMb * BYTES_PER_MB)
        endWith({ ok: false, reason: 'too_large' })
    }, LOOK_EVERY_MS)
    worker.once('message', (answer: Answer) => endWith({ ok: true, answer }))
    worker.once('error', (error) => {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ERR_WORKER_OUT_OF_MEMORY') return endWith({ ok: false, reason: 'too_large' })
      end()
      reject(error)
    })
    worker.once('exit', () => {
      end()
      reject(new Error('The thread ended without an answer.'))
    })
  })
}
