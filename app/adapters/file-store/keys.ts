const SEGMENT = /^[A-Za-z0-9._-]{1,200}$/
const MAX_LENGTH = 900

/**
 * Lets through only keys as we make them, so that one means the same file in every store: letters, digits and . _ -
 * between slashes. Anything else is a bug of ours, never a file.
 * @throws RangeError for '..', an empty part, a NUL, a space, an emoji, or more than a store takes
 */
export function checkedKey(key: string): string {
  const parts = key.split('/')
  const isRight = parts.every((part) => SEGMENT.test(part) && part !== '.' && part !== '..')
  if (!isRight || key.length > MAX_LENGTH) throw new RangeError(`Not a file's key: ${JSON.stringify(key)}`)
  return key
}
