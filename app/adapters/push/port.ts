/** A browser that asked for notifications: where its push service is, and the keys of its messages (RFC 8291). */
export type PushTarget = { endpoint: string; p256dh: string; auth: string }

export type PushMessage = {
  payload: string
  /** Replaces an undelivered message of the same topic: at most 32 letters, digits, `-` and `_` (RFC 8030, 5.4). */
  topic: string
  /** How long the push service keeps it for a device that is off. */
  ttlSeconds: number
}

export type PushOutcome =
  | 'sent'
  /** The subscription has ended, or its endpoint leads to a place that we don't send to. */
  | 'gone'
  /** The push service will never take this message. */
  | 'refused'
  /** The push service may take it later. */
  | 'unavailable'

/** Sends messages to browsers by their push services. */
export type PushSender = {
  /** The public key that browsers subscribe with (RFC 8292), in base64url. */
  publicKey: string
  /** Whether a browser's subscription can be stored: an address on the public internet, and keys of the right form. */
  isUsable(target: PushTarget): boolean
  /** Encrypts and sends one message. Never throws for a failure of the push service. */
  send(target: PushTarget, message: PushMessage): Promise<PushOutcome>
}
