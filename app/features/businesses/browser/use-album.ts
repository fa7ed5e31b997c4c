import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { href } from 'react-router'
import { sendForm } from '../../../ui/send-form.ts'
import { shrinkPicture } from '../../../ui/shrink-picture.ts'
import { showToast } from '../../../ui/toast.tsx'
import { uploadRefusedText } from '../../files/messages.ts'
import { MAX_UPLOAD_BYTES, STORED_SIDE, type UploadKind } from '../../files/rules.ts'
import { tooLargeText } from '../album-messages.ts'
import type { AlbumPicture, AlbumStep } from '../album-rules.ts'
import type { BusinessImage } from '../rules.ts'
import { type AlbumPorts, type FileAnswer, type StepAnswer, uploadHoldUp } from './album-client.ts'
import { unsentSteps } from './album-draft.ts'
import { createLiveAlbums } from './live-album-client.ts'

const KIND: UploadKind = 'album'
const STEP_TIMEOUT_MS = 30_000

/** The album of a listing with what its owner does to it. @param album as the server has it */
export function useAlbum(
  album: readonly AlbumPicture[],
  { userId, businessId, name }: { userId: string; businessId: string; name: string },
) {
  // The server's answers to the steps are newer than the page's own data.
  const [start] = useState(album)
  const { client, store, key } = useMemo(() => {
    const key = `${userId}:${businessId}`
    const store = unsentSteps({ userId, businessId })
    const ports = portsOf({ userId, businessId, name }, store.keep)
    return { store, key, client: albums.clientOf(key, start, ports) }
  }, [start, userId, businessId, name])
  useEffect(() => {
    // Albums that were left wait for it too.
    window.addEventListener('online', albums.retryAll)
    return albums.enter(key, client, store.read)
  }, [key, client, store])
  const state = useSyncExternalStore(client.subscribe, client.state, client.state)
  return { client, state }
}

/** The albums of this page, whatever its screen. Closing it before all is sent loses what the tab keeps, so that asks first. */
const albums = createLiveAlbums({
  onUnsent(isUnsent) {
    if (isUnsent) window.addEventListener('beforeunload', askFirst)
    else window.removeEventListener('beforeunload', askFirst)
  },
})
const askFirst = (event: BeforeUnloadEvent) => event.preventDefault()

function portsOf(
  { userId, businessId, name }: { userId: string; businessId: string; name: string },
  keep: AlbumPorts['keep'],
): AlbumPorts {
  return {
    sendStep: (step) => sendStep({ userId, businessId }, step),
    sendFile: (file, onProgress) => sendPicture(file, name, onProgress),
    keep,
    onRefused: (text) => showToast({ type: 'error', text }),
    preview: (file) => URL.createObjectURL(file),
    forget: (preview) => URL.revokeObjectURL(preview),
  }
}

async function sendStep(
  { userId, businessId }: { userId: string; businessId: string },
  step: AlbumStep,
): Promise<StepAnswer> {
  try {
    const response = await fetch(href('/api/album/:businessId', { businessId }), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      // Another tab may have logged in as somebody else.
      body: JSON.stringify({ ...step, userId }),
      signal: AbortSignal.timeout(STEP_TIMEOUT_MS),
    })
    const answer = (await response.json()) as StepAnswer
    return answer && 'ok' in answer ? answer : null
  } catch {
    // Sent again: a step that was done already changes nothing.
    return null
  }
}

async function sendPicture(
  file: File,
  name: string,
  onProgress: (part: number) => void,
): Promise<FileAnswer> {
  const blob = await shrunkOnce(file)
  if (blob.size > MAX_UPLOAD_BYTES.album) return { ok: false, reason: tooLargeText(file.name), holdUp: null }
  const form = new FormData()
  form.set('kind', KIND)
  form.set('businessName', name)
  form.set('file', blob, file.name)
  const sent = await sendForm(href('/api/upload'), form, { onProgress })
  const body = sent?.body as { ok?: boolean; image?: BusinessImage } | null | undefined
  if (body?.ok && body.image) return { ok: true, picture: { ...body.image, caption: '', alt: '' } }
  return { ok: false, reason: uploadRefusedText(sent), holdUp: uploadHoldUp(sent) }
}

const shrunk = new WeakMap<File, Promise<Blob>>()

/** Shrinks a file at its first try only: a phone needs a second for each. */
function shrunkOnce(file: File): Promise<Blob> {
  const known = shrunk.get(file) ?? shrinkPicture(file, STORED_SIDE)
  shrunk.set(file, known)
  return known
}
