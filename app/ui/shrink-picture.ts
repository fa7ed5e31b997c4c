const JPEG_QUALITY = 0.86
/** Below this a file is sent as it is. */
const SMALL_BYTES = 400_000

/**
 * Shrinks a photo before its upload, upright and without its metadata: a phone's 6 MB become some 700 kB, a tenth of the wait on a
 * slow network. A file that the browser can't decode, or that wouldn't get smaller, is returned as it is: the server shrinks it.
 * @param side the longer side of the result, in pixels
 */
export async function shrinkPicture(file: File, side: number): Promise<Blob> {
  // A canvas would stop an animation, and small files win nothing.
  if (file.type === 'image/gif' || file.size <= SMALL_BYTES) return file
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
    try {
      const shrunk = await drawn(bitmap, Math.min(1, side / Math.max(bitmap.width, bitmap.height)))
      return shrunk && shrunk.size < file.size ? shrunk : file
    } finally {
      bitmap.close()
    }
  } catch {
    return file
  }
}

async function drawn(bitmap: ImageBitmap, scale: number): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  const context = canvas.getContext('2d')
  if (!context) return null
  // JPEG has no transparency, and black would stand in its place.
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', JPEG_QUALITY))
  // Frees the pixels of a phone's memory at once.
  canvas.width = 0
  canvas.height = 0
  return blob
}
