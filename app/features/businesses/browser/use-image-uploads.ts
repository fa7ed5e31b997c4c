import { useCallback, useEffect, useRef, useState } from 'react'
import { href } from 'react-router'
import { sendForm } from '../../../ui/send-form.ts'
import { uploadRefusedText } from '../../files/messages.ts'
import type { UploadKind } from '../../files/rules.ts'
import { admitFiles, type ListedImage, moveImage } from '../image-rules.ts'
import type { BusinessImage } from '../rules.ts'

const KIND: UploadKind = 'listing'

let nextId = 1
const newLocalId = () => `image-${nextId++}`

/**
 * The images of the listing form. Uploads each new image as soon as it's chosen, so that saving is quick and a reload
 * loses no uploaded image.
 * @param start the images of the listing or the stored draft; `isNew` marks images that were never saved
 * @param businessName read at the start of each upload, to name the stored file
 */
export function useImageUploads(
  start: readonly { image: BusinessImage; isNew: boolean }[],
  businessName: () => string,
) {
  const [images, setImages] = useState<ListedImage[]>(() => start.map(listedImage))
  const change = useCallback(
    (id: string, changed: Partial<ListedImage>) =>
      setImages((all) =>
        all.map((image) => (image.id === id ? ({ ...image, ...changed } as ListedImage) : image)),
      ),
    [],
  )
  const { hold, send, stop } = useUploads(businessName, change)

  const addFiles = useCallback(
    (chosen: readonly File[]): string[] => {
      const { taken, warnings } = admitFiles(chosen, images.filter((image) => image.isNew).length)
      const added = taken.map((file): ListedImage => {
        const id = newLocalId()
        hold(id, file)
        const preview = URL.createObjectURL(file)
        return { id, fileName: file.name, isNew: true, preview, state: 'sending', progress: 0 }
      })
      setImages((all) => [...all, ...added])
      for (const [offset, { id }] of added.entries()) void send(id, images.length + offset)
      return warnings
    },
    [images, hold, send],
  )

  const remove = useCallback(
    (id: string) => {
      stop(id)
      setImages((all) => {
        const preview = all.find((image) => image.id === id)?.preview
        if (preview) URL.revokeObjectURL(preview)
        return all.filter((image) => image.id !== id)
      })
    },
    [stop],
  )

  const describe = useCallback(
    (id: string, alt: string) =>
      setImages((all) =>
        all.map((each) =>
          each.id === id && each.state === 'stored' ? { ...each, image: { ...each.image, alt } } : each,
        ),
      ),
    [],
  )

  const move = useCallback((id: string, to: number) => setImages((all) => moveImage(all, id, to)), [])

  const retry = useCallback(
    (id: string) => {
      hold(id)
      void send(
        id,
        images.findIndex((image) => image.id === id),
      )
    },
    [images, hold, send],
  )

  return { images, addFiles, remove, describe, move, retry }
}

/** An image of the listing or of the stored draft, as the form lists it. */
function listedImage({ image, isNew }: { image: BusinessImage; isNew: boolean }): ListedImage {
  return { id: newLocalId(), fileName: 'Image', isNew, preview: null, state: 'stored', image }
}

/**
 * The uploads of chosen files, by the ids of their images. Those that still run end with the form.
 * @param businessName read at the start of each upload
 * @param onChange called with the progress and result of each upload
 */
function useUploads(
  businessName: () => string,
  onChange: (id: string, changed: Partial<ListedImage>) => void,
) {
  const files = useRef(new Map<string, { file: File; stop: AbortController }>())
  const readName = useRef(businessName)
  readName.current = businessName

  /** Keeps the file of an image for its upload. Without a file, the kept one can be sent again. */
  const hold = useCallback((id: string, chosen?: File) => {
    const file = chosen ?? files.current.get(id)?.file
    if (file) files.current.set(id, { file, stop: new AbortController() })
  }, [])

  const stop = useCallback((id: string) => {
    files.current.get(id)?.stop.abort()
    files.current.delete(id)
  }, [])

  const send = useCallback(
    async (id: string, index: number) => {
      const upload = files.current.get(id)
      if (!upload) return
      onChange(id, { state: 'sending', progress: 0 })
      const form = new FormData()
      form.set('kind', KIND)
      form.set('businessName', readName.current())
      form.set('index', String(index))
      form.set('file', upload.file)
      const sent = await sendForm(href('/api/upload'), form, {
        onProgress: (progress) => onChange(id, { state: 'sending', progress }),
        signal: upload.stop.signal,
      })
      if (upload.stop.signal.aborted) return
      const body = sent?.body as { ok?: boolean; image?: BusinessImage } | null | undefined
      if (body?.ok && body.image) return onChange(id, { state: 'stored', image: body.image })
      onChange(id, { state: 'failed', reason: uploadRefusedText(sent) })
    },
    [onChange],
  )

  useEffect(() => {
    const sending = files.current
    return () => {
      for (const upload of sending.values()) upload.stop.abort()
    }
  }, [])

  return { hold, send, stop }
}
