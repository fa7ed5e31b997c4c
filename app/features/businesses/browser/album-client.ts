import { ALBUM_REFUSALS } from '../album-messages.ts'
import { type AlbumPicture, type AlbumStep, applyStep } from '../album-rules.ts'
import type { AlbumRefusal } from '../album-schema.ts'

/** A chosen file on its way into the album. One that reached nothing waits again. */
export type AlbumUpload = {
  id: string
  fileName: string
  /** A blob URL of the file. */
  preview: string
} & (
  | { state: 'waiting' }
  | { state: 'sending' /** 0 to 1 */; progress: number }
  | { state: 'failed'; reason: string }
)

export type AlbumState = {
  /** As the server has it, with the steps that it hasn't answered yet. */
  pictures: AlbumPicture[]
  uploads: AlbumUpload[]
  /** Why the unsent steps and files wait. */
  holdUp: 'offline' | 'signed_out' | 'too_often' | null
  isSaving: boolean
}

/** The server's answer to a step: the album after it, or the refusal. null without an answer. */
export type StepAnswer = { ok: true; album: AlbumPicture[] } | { ok: false; reason: AlbumRefusal } | null

/**
 * The result of an upload.
 * @property holdUp why the file has to be sent again; null for one that would be refused again
 */
export type FileAnswer =
  | { ok: true; picture: AlbumPicture }
  | { ok: false; reason: string; holdUp: 'offline' | 'too_often' | null }

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

/** Why a file that wasn't stored has to be sent again. @param sent the response, or null without one */
export function uploadHoldUp(
  sent: { status: number; body: unknown } | null,
): Extract<FileAnswer, { ok: false }>['holdUp'] {
  if (!sent || sent.status === 503) return 'offline'
  const { reason } = (sent.body ?? {}) as { reason?: string }
  // The account's other tabs are uploading as well.
  return reason === 'too_often' || reason === 'too_many_at_once' ? 'too_often' : null
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
 * with each answer. A client has no end: `createLiveAlbums` lets go of one that has sent everything.
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
    if (!steps.isSaving() && !uploads.isPending()) retries.end()
    state = read()
    for (const listener of listeners) listener()
  }
  function retry() {
    retries.stop()
    uploads.send()
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
      tell()
    },
    addFiles: uploads.add,
    dropUpload: uploads.drop,
    /** Leaves out the files that aren't in the album yet. */
    dropUploads() {
      for (const { id } of uploads.list()) uploads.drop(id)
    },
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
  function stop() {
    clearTimeout(timer)
    timer = undefined
  }
  function end() {
    stop()
    holdUp = null
    retryMs = FIRST_RETRY_MS
  }
  return {
    why: () => holdUp,
    isWaiting: () => timer !== undefined,
    wait(why: HoldUp) {
      // Of two that failed together, the second doesn't make the wait longer.
      if (timer !== undefined && (why === 'offline' || why === holdUp)) return
      stop()
      holdUp = why
      const waits: Record<HoldUp, number> = {
        offline: retryMs,
        signed_out: MAX_RETRY_MS,
        too_often: TOO_OFTEN_MS,
      }
      timer = setTimeout(retry, waits[why])
      if (why === 'offline') retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)
    },
    /** The server has answered, so what waits for the connection is sent now. It may still refuse what it called too often. */
    reached() {
      const isWaiting = timer !== undefined
      if (isWaiting && holdUp !== 'offline') return
      end()
      if (isWaiting) retry()
    },
    stop,
    /** Nothing waits any more. */
    end,
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
    if (!first || isSending || retries.isWaiting()) return
    isSending = true
    tell()
    const answer = await ports.sendStep(first.step)
    isSending = false
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
      if (left.length > 0) setUnsent([...left, ...unsent])
      void sendNext()
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

  function change(id: string, changed: Partial<AlbumUpload>) {
    uploads = uploads.map((upload) =>
      upload.id === id ? ({ ...upload, ...changed } as typeof upload) : upload,
    )
  }
  function send() {
    // After a hold-up, one file finds out whether it has ended.
    const most = retries.isWaiting() ? 0 : retries.why() ? 1 : CONCURRENT_UPLOADS
    const active = uploads.filter(({ state }) => state === 'sending').length
    const waiting = uploads.filter(({ state }) => state === 'waiting')
    for (const { id, file } of waiting.slice(0, Math.max(0, most - active))) void sendOne(id, file)
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
    if (!upload) return
    if (answer.ok) {
      uploads = uploads.filter((each) => each.id !== id)
      ports.forget(upload.preview)
      retries.reached()
      const { url, caption, alt } = answer.picture
      push({ kind: 'add', url, caption, alt }, answer.picture)
    } else if (answer.holdUp) {
      change(id, { state: 'waiting' })
      retries.wait(answer.holdUp)
    } else {
      change(id, { state: 'failed', reason: answer.reason })
      retries.reached()
    }
    send()
  }
  return {
    list: (): AlbumUpload[] => uploads.map(({ file: _, ...shown }) => shown),
    /** Whether a file is on its way or waits for its turn. */
    isPending: () => uploads.some(({ state }) => state !== 'failed'),
    send,
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
  }
}
