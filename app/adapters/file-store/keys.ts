const SEGMENT = /^[A-Za-z0-9._-]{1,200}$/
const MAX_LENGTH = 900

/**
 * Accepts only keys as we make them, so that a key names the same file in every store: letters, digits and . _ -
 * between slashes. Any other key is a bug of ours.
 * @throws RangeError for '..', an empty segment, a NUL, a space, an emoji, or a key longer than stores allow
 */
export function checkedKey(key: string): string {
  const parts = key.split('/')
  const isRight = parts.every((part) => SEGMENT.test(part) && part !== '.' && part !== '..')
  if (!isRight || key.length > MAX_LENGTH) throw new RangeError(`Not a file's key: ${JSON.stringify(key)}`)
  return key
}
