export type StoredFile = { bytes: Uint8Array; contentType: string }

/** The store can't be reached, does not answer in time, or does not do what it is asked; `cause` says which. */
export class FileStoreUnavailable extends Error {
  constructor(cause: unknown) {
    super('The file store is away.', { cause })
    this.name = 'FileStoreUnavailable'
  }
}

/**
 * Keeps files by key ('businessLogos/1700000000000_logo.webp'). Keys are made by us, never taken from a request; every
 * method throws a RangeError for one that is not as we make them (`checkedKey`).
 */
export interface FileStore {
  put(key: string, file: StoredFile): Promise<void>
  /** @returns null when there is no such file */
  read(key: string): Promise<StoredFile | null>
  /** Deleting what is not there is fine. */
  delete(key: string): Promise<void>
  /** Every key, in no order. What is put or deleted meanwhile may be in it or not. */
  list(): AsyncIterable<string>
  /** @throws when files can't be read and written at present */
  check(): Promise<void>
}
