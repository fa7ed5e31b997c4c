export type StoredFile = { bytes: Uint8Array; contentType: string }

/** The store can't be reached, does not answer in time, or fails. See `cause`. */
export class FileStoreUnavailable extends Error {
  constructor(cause: unknown) {
    super('The file store is unavailable.', { cause })
    this.name = 'FileStoreUnavailable'
  }
}

/**
 * Stores files by key ('businessLogos/1700000000000_logo.webp'). We make the keys and never take them from a request.
 * Every method throws a RangeError for a malformed key (`checkedKey`).
 */
export interface FileStore {
  put(key: string, file: StoredFile): Promise<void>
  /** @returns null when there is no such file */
  read(key: string): Promise<StoredFile | null>
  /** Deletes a file. Does nothing when there is none. */
  delete(key: string): Promise<void>
  /** Every key, in no particular order. Files that are put or deleted during the listing may or may not be included. */
  list(): AsyncIterable<string>
  /** @throws when files can't currently be read and written */
  check(): Promise<void>
}
