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
import { type AlbumPorts, createAlbumClient, type FileAnswer, type StepAnswer } from './album-client.ts'
import { unsentSteps } from './album-draft.ts'

const KIND: UploadKind = 'album'
const STEP_TIMEOUT_MS = 30_000

/** The album of a listing with what its owner does to it. @param album as the server has it */
export function useAlbum(
  album: readonly AlbumPicture[],
  { userId, businessId, name }: { userId: string; businessId: string; name: string },
) {
  // The server's answers to the steps are newer than the page's own data.
  const [start] = useState(album)
  const { client, store } = useMemo(() => {
    const store = unsentSteps({ userId, businessId })
    return { store, client: createAlbumClient(start, portsOf(businessId, name, store.keep)) }
  }, [start, userId, businessId, name])
  useEffect(() => {
    client.open(store.read())
    window.addEventListener('online', client.retry)
    return () => {
      window.removeEventListener('online', client.retry)
      client.close()
    }
  }, [client, store])
  const state = useSyncExternalStore(client.subscribe, client.state, client.state)
  return { client, state }
}

function portsOf(businessId: string, name: string, keep: AlbumPorts['keep']): AlbumPorts {
  return {
    sendStep: (step) => sendStep(businessId, step),
    sendFile: (file, onProgress) => sendPicture(file, name, onProgress),
    keep,
    onRefused: (text) => showToast({ type: 'error', text }),
    preview: (file) => URL.createObjectURL(file),
    forget: (preview) => URL.revokeObjectURL(preview),
  }
}

async function sendStep(businessId: string, step: AlbumStep): Promise<StepAnswer> {
  try {
    const response = await fetch(href('/api/album/:businessId', { businessId }), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(step),
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
  const blob = await shrinkPicture(file, STORED_SIDE)
  if (blob.size > MAX_UPLOAD_BYTES.album)
    return { ok: false, reason: tooLargeText(file.name), isOffline: false }
  const form = new FormData()
  form.set('kind', KIND)
  form.set('businessName', name)
  form.set('file', blob, file.name)
  const sent = await sendForm(href('/api/upload'), form, { onProgress })
  const body = sent?.body as { ok?: boolean; image?: BusinessImage } | null | undefined
  if (body?.ok && body.image) return { ok: true, picture: { ...body.image, caption: '', alt: '' } }
  return { ok: false, reason: uploadRefusedText(sent), isOffline: !sent || sent.status === 503 }
}
