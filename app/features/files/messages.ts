/** Specification, section 8. */
export const uploadFailedText = (fileName: string) => `Failed to upload ${fileName}`

/** The reason for a failed upload, shown after the text above. */
const UPLOAD_REFUSED_TEXTS = {
  signed_out: 'You are no longer logged in.',
  too_large: 'The file is too large.',
  empty: 'The file is empty.',
  not_an_image: 'We can’t read this image. Choose a JPEG, PNG, WebP, AVIF or GIF.',
  too_many_pixels: 'It has more than 50 million pixels.',
  too_many_today: 'Too many large pictures in a day. Try again tomorrow.',
  too_often: 'Too many pictures in a short time. Try again in ten minutes.',
  too_many_at_once: 'Your other pictures are still uploading. Try again in a minute.',
  away: 'We can’t store pictures right now. Try again in a few minutes.',
  unreachable: 'We couldn’t be reached. Check your connection.',
} as const

/** @param sent the response to the upload, or null without one */
export function uploadRefusedText(sent: { status: number; body: unknown } | null): string {
  if (sent?.status === 503) return UPLOAD_REFUSED_TEXTS.away
  const { reason } = (sent?.body ?? {}) as { reason?: keyof typeof UPLOAD_REFUSED_TEXTS }
  return (reason && UPLOAD_REFUSED_TEXTS[reason]) ?? UPLOAD_REFUSED_TEXTS.unreachable
}

/** The drop area's codes (Specification, section 8). */
export const FILE_TYPE_TEXT = 'File type must be JPEG, PNG, WebP, AVIF or GIF'
export const TOO_MANY_FILES_TEXT = 'Too many files'
export const DROP_TEXTS = {
  'file-invalid-type': FILE_TYPE_TEXT,
  'file-too-large': 'File is larger than 5 MB',
  'file-too-small': 'File is empty',
  'too-many-files': TOO_MANY_FILES_TEXT,
} as const
