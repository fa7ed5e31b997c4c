import { ALBUM_REFUSALS } from '../album-messages.ts'
import { type AlbumPicture, type AlbumStep, applyStep } from '../album-rules.ts'
import type { AlbumRefusal } from '../album-schema.ts'

/** A chosen file on its way into the album. */
export type AlbumUpload = {
  id: string
  fileName: string
  /** A blob URL of the file. */
  preview: string
} & (
  | { state: 'waiting' }
  | { state: 'sending' /** 0 to 1 */; progress: number }
  /** `isOffline`: nothing was reached, so it's tried again without a press. */
  | { state: 'failed'; reason: string; isOffline: boolean }
)

export type AlbumState = {
  /** As the server has it, with the steps that it hasn't answered yet. */
  pictures: AlbumPicture[]
  uploads: AlbumUpload[]
  /** Why the unsent steps wait. */
  holdUp: 'offline' | 'signed_out' | 'too_often' | null
  isSaving: boolean
}

/** The server's answer to a step: the album after it, or the refusal. null without an answer. */
export type StepAnswer = { ok: true; album: AlbumPicture[] } | { ok: false; reason: AlbumRefusal } | null

/** The result of an upload. */
export type FileAnswer =
  | { ok: true; picture: AlbumPicture }
  | { ok: false; reason: string; isOffline: boolean }

/** A step that the server hasn't answered yet, with the picture that it adds. */
export type UnsentStep = { step: AlbumStep; picture: AlbumPicture | null }

export type AlbumPorts = {
  sendStep: (step: AlbumStep) => Promise<StepAnswer>
  /** @param onProgress called with 0 to 1 */
  sendFile: (file: File, onProgress: (part: number) => void) => Promise<FileAnswer>
  /** Keeps the unsent steps beyond this page. */
  keep: (unsent: readonly UnsentStep[]) => void
  onRefused: (text: string) => void
  preview: (file: File) => string
  forget: (preview: string) => void
}

const CONCURRENT_UPLOADS = 2
const FIRST_RETRY_MS = 2_000
const MAX_RETRY_MS = 30_000
const TOO_OFTEN_MS = 60_000

type HoldUp = NonNullable<AlbumState['holdUp']>
type Retries = ReturnType<typeof createRetries>

let nextId = 1

/**
 * An album that is being changed. Steps go to the server one after another, each until it's answered: a lost connection delays them,
 * and loses none. What the screen shows is the server's last answer with the unsent steps applied, so another tab's changes come in
 * with each answer.
 * @param start the server's album
 */
export function createAlbumClient(start: readonly AlbumPicture[], ports: AlbumPorts) {
  const listeners = new Set<() => void>()
  const retries = createRetries(() => retry())
  const steps = createSteps(start, { ports, retries, tell: () => tell() })
  const uploads = createUploads({ ports, retries, tell: () => tell(), push: steps.push })
  const read = (): AlbumState => ({
    pictures: steps.pictures(),
    uploads: uploads.list(),
    holdUp: retries.why(),
    isSaving: steps.isSaving(),
  })
  let state = read()

  function tell() {
    state = read()
    for (const listener of listeners) listener()
  }
  function retry() {
    retries.stop()
    uploads.retryUnreached()
    tell()
    void steps.sendNext()
  }

  return {
    state: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** @param left the steps that an earlier page couldn't send */
    open(left: readonly UnsentStep[]) {
      steps.open(left)
      uploads.open()
      tell()
    },
    /** Ends timers and answers. Unsent steps are kept for the next page. */
    close() {
      steps.close()
      uploads.close()
      retries.stop()
    },
    addFiles: uploads.add,
    dropUpload: uploads.drop,
    retryUpload: uploads.retry,
    /** Sends again what waits for the connection: when it may be back, or at a press. */
    retry,
    push: steps.push,
  }
}

export type AlbumClient = ReturnType<typeof createAlbumClient>

/** Why and until when sending waits: 2 s without a connection, then twice as long each time, 30 s at most. */
function createRetries(retry: () => void) {
  let holdUp: HoldUp | null = null
  let retryMs = FIRST_RETRY_MS
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    why: () => holdUp,
    isWaiting: () => timer !== undefined,
    wait(why: HoldUp) {
      holdUp = why
      clearTimeout(timer)
      const waits: Record<HoldUp, number> = {
        offline: retryMs,
        signed_out: MAX_RETRY_MS,
        too_often: TOO_OFTEN_MS,
      }
      timer = setTimeout(retry, waits[why])
      if (why === 'offline') retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)
    },
    reached() {
      holdUp = null
      retryMs = FIRST_RETRY_MS
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

/** The steps that the server hasn't answered yet, in their order. */
function createSteps(
  start: readonly AlbumPicture[],
  { ports, retries, tell }: { ports: AlbumPorts; retries: Retries; tell: () => void },
) {
  let known = start
  let unsent: readonly UnsentStep[] = []
  let isSending = false
  let isClosed = false

  function setUnsent(next: readonly UnsentStep[]) {
    unsent = next
    ports.keep(unsent)
  }
  function settle(answer: StepAnswer) {
    if (!answer) return retries.wait('offline')
    if (!answer.ok && (answer.reason === 'too_often' || answer.reason === 'signed_out'))
      return retries.wait(answer.reason)
    if (answer.ok) known = answer.album
    else ports.onRefused(ALBUM_REFUSALS[answer.reason])
    setUnsent(unsent.slice(1))
    retries.reached()
  }
  async function sendNext() {
    const [first] = unsent
    if (!first || isSending || isClosed || retries.isWaiting()) return
    isSending = true
    tell()
    const answer = await ports.sendStep(first.step)
    isSending = false
    if (isClosed) {
      // The next page needn't send it again.
      if (answer?.ok) setUnsent(unsent.slice(1))
      return
    }
    settle(answer)
    tell()
    void sendNext()
  }
  return {
    pictures: () =>
      unsent.reduce<AlbumPicture[]>(
        (album, { step, picture }) => applyStep(album, step, picture),
        [...known],
      ),
    isSaving: () => unsent.length > 0,
    sendNext,
    open(left: readonly UnsentStep[]) {
      isClosed = false
      if (left.length > 0) setUnsent([...left, ...unsent])
      void sendNext()
    },
    close() {
      isClosed = true
    },
    /** @param picture the one that it adds */
    push(step: AlbumStep, picture: AlbumPicture | null = null) {
      const last = unsent.at(-1)
      // Texts that are typed without a connection are one step. The first step may be on its way.
      const isOneText =
        unsent.length > 1 &&
        last?.step.kind === 'describe' &&
        step.kind === 'describe' &&
        last.step.url === step.url
      setUnsent(
        isOneText
          ? [...unsent.slice(0, -1), { step: { ...last.step, ...step }, picture: null }]
          : [...unsent, { step, picture }],
      )
      tell()
      void sendNext()
    },
  }
}

/** The files on their way, two at a time. */
function createUploads({
  ports,
  retries,
  tell,
  push,
}: {
  ports: AlbumPorts
  retries: Retries
  tell: () => void
  push: (step: AlbumStep, picture: AlbumPicture) => void
}) {
  let uploads: readonly (AlbumUpload & { file: File })[] = []
  let isClosed = false

  function change(id: string, changed: Partial<AlbumUpload>) {
    uploads = uploads.map((upload) =>
      upload.id === id ? ({ ...upload, ...changed } as typeof upload) : upload,
    )
  }
  function send() {
    const active = uploads.filter(({ state }) => state === 'sending').length
    const waiting = uploads.filter(({ state }) => state === 'waiting')
    for (const { id, file } of waiting.slice(0, Math.max(0, CONCURRENT_UPLOADS - active)))
      void sendOne(id, file)
    tell()
  }
  async function sendOne(id: string, file: File) {
    change(id, { state: 'sending', progress: 0 })
    const answer = await ports.sendFile(file, (progress) => {
      change(id, { state: 'sending', progress })
      tell()
    })
    const upload = uploads.find((each) => each.id === id)
    // Dropped during its upload. The server sweeps unattached uploads.
    if (isClosed || !upload) return
    if (answer.ok) {
      uploads = uploads.filter((each) => each.id !== id)
      ports.forget(upload.preview)
      const { url, caption, alt } = answer.picture
      push({ kind: 'add', url, caption, alt }, answer.picture)
    } else {
      change(id, { state: 'failed', reason: answer.reason, isOffline: answer.isOffline })
      if (answer.isOffline && !retries.isWaiting()) retries.wait('offline')
    }
    send()
  }
  return {
    list: (): AlbumUpload[] => uploads.map(({ file: _, ...shown }) => shown),
    open() {
      isClosed = false
    },
    close() {
      isClosed = true
    },
    add(files: readonly File[]) {
      const added = files.map((file) => ({
        id: `album-${nextId++}`,
        fileName: file.name,
        preview: ports.preview(file),
        state: 'waiting' as const,
        file,
      }))
      uploads = [...uploads, ...added]
      send()
    },
    drop(id: string) {
      const upload = uploads.find((each) => each.id === id)
      if (!upload) return
      ports.forget(upload.preview)
      uploads = uploads.filter((each) => each.id !== id)
      send()
    },
    retry(id: string) {
      change(id, { state: 'waiting' })
      send()
    },
    /** Those that reached nothing. A refused file is refused again. */
    retryUnreached() {
      for (const upload of uploads)
        if (upload.state === 'failed' && upload.isOffline) change(upload.id, { state: 'waiting' })
      send()
    },
  }
}
