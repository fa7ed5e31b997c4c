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
  const [images, setImages] = useState<ListedImage[]>(() =>
    start.map(({ image, isNew }) => ({
      id: newLocalId(),
      fileName: 'Image',
      isNew,
      preview: null,
      state: 'stored',
      image,
    })),
  )
  const files = useRef(new Map<string, { file: File; stop: AbortController }>())
  const readName = useRef(businessName)
  readName.current = businessName

  const send = useCallback(async (id: string, index: number) => {
    const upload = files.current.get(id)
    if (!upload) return
    const set = (change: Partial<ListedImage>) =>
      setImages((all) =>
        all.map((image) => (image.id === id ? ({ ...image, ...change } as ListedImage) : image)),
      )
    set({ state: 'sending', progress: 0 })
    const form = new FormData()
    form.set('kind', KIND)
    form.set('businessName', readName.current())
    form.set('index', String(index))
    form.set('file', upload.file)
    const sent = await sendForm(href('/api/upload'), form, {
      onProgress: (progress) => set({ state: 'sending', progress }),
      signal: upload.stop.signal,
    })
    if (upload.stop.signal.aborted) return
    const body = sent?.body as { ok?: boolean; image?: BusinessImage } | null | undefined
    if (body?.ok && body.image) return set({ state: 'stored', image: body.image })
    set({ state: 'failed', reason: uploadRefusedText(sent) })
  }, [])

  const addFiles = useCallback(
    (chosen: readonly File[]): string[] => {
      const { taken, warnings } = admitFiles(chosen, images.filter((image) => image.isNew).length)
      const added = taken.map((file): ListedImage => {
        const id = newLocalId()
        files.current.set(id, { file, stop: new AbortController() })
        const preview = URL.createObjectURL(file)
        return { id, fileName: file.name, isNew: true, preview, state: 'sending', progress: 0 }
      })
      setImages((all) => [...all, ...added])
      for (const [offset, { id }] of added.entries()) void send(id, images.length + offset)
      return warnings
    },
    [images, send],
  )

  const remove = useCallback((id: string) => {
    files.current.get(id)?.stop.abort()
    files.current.delete(id)
    setImages((all) => {
      const preview = all.find((image) => image.id === id)?.preview
      if (preview) URL.revokeObjectURL(preview)
      return all.filter((image) => image.id !== id)
    })
  }, [])

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
      const upload = files.current.get(id)
      if (upload) files.current.set(id, { file: upload.file, stop: new AbortController() })
      void send(
        id,
        images.findIndex((image) => image.id === id),
      )
    },
    [images, send],
  )

  useEffect(() => {
    const sending = files.current
    return () => {
      for (const { stop } of sending.values()) stop.abort()
    }
  }, [])

  return { images, addFiles, remove, describe, move, retry }
}
