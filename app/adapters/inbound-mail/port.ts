/** More files than any message takes, so that one with too many is still refused for that. The rest isn't decoded. */
export const MAX_RECEIVED_FILES = 10

/** A mail that a service has received for us. */
export type ReceivedMail = {
  /** The service's id: the same each time it delivers this mail. */
  id: string
  /** The addresses that the mail was delivered to, in lower case. */
  to: readonly string[]
  /** The plain text, or one made of the HTML text, with what it quotes. */
  text: string
  /** The values of each header, by its name in lower case. */
  headers: ReadonlyMap<string, readonly string[]>
  /** The first attached files, without the pictures of the text: `MAX_RECEIVED_FILES` at most. */
  files: readonly File[]
}

export interface InboundMail {
  /** Whether a request proves that it is the service's. Ask before reading its body, which is large. */
  isGenuine(headers: Headers): boolean
  /**
   * Reads a mail from a request of the service.
   * @param rawBody the body exactly as received
   * @returns 'forged' if the request doesn't prove that it is the service's, null if its body isn't a mail
   */
  read(rawBody: string, headers: Headers): ReceivedMail | 'forged' | null
}
