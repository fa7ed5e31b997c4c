import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_KEY = 0x40

type Options = { challenge?: string; rp?: { id?: string }; rpId?: string }

/**
 * A device that makes passkeys and signs with them (WebAuthn level 3, ES256, no attestation), for tests without a
 * browser.
 * @param options.origin the page's origin, which the browser tells the device
 */
export function aPasskeyDevice({ origin }: { origin: string }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  let uses = 0
  let isVerifying = true

  const clientData = (type: string, challenge = '') =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authenticatorData = (site: string, flags: number, rest = Buffer.alloc(0)) => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(uses)
    const verified = isVerifying ? USER_VERIFIED : 0
    return Buffer.concat([
      createHash('sha256').update(site).digest(),
      Buffer.of(flags | USER_PRESENT | verified),
      counter,
      rest,
    ])
  }
  const answer = (response: Record<string, string>) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })

  return {
    id: id.toString('base64url'),

    /** Stops asking for a fingerprint or PIN. */
    stopVerifying() {
      isVerifying = false
    },

    /** Answers the options of `beginAdding`. */
    make(given: object) {
      const options = given as Options
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const key = cbor(
        new Map<number | string, Cbor>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      )
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.of(0, id.length), id, key])
      const authData = authenticatorData(options.rp?.id ?? '', HAS_KEY, credential)
      const attestation = new Map<number | string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ])
      return answer({
        clientDataJSON: clientData('webauthn.create', options.challenge).toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
      })
    },

    /** Answers the options of `beginSignIn`. */
    sign(given: object) {
      const options = given as Options
      uses += 1
      const authData = authenticatorData(options.rpId ?? '', 0)
      const data = clientData('webauthn.get', options.challenge)
      const signature = sign(
        'sha256',
        Buffer.concat([authData, createHash('sha256').update(data).digest()]),
        privateKey,
      )
      return answer({
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
      })
    },
  }
}

type Cbor = number | string | Buffer | Map<number | string, Cbor>

/** The subset of CBOR (RFC 8949) that a passkey needs. */
function cbor(value: Cbor): Buffer {
  const head = (kind: number, size: number) =>
    size < 24
      ? Buffer.of((kind << 5) | size)
      : size < 256
        ? Buffer.of((kind << 5) | 24, size)
        : Buffer.of((kind << 5) | 25, size >> 8, size & 255)
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flat().map((part) => cbor(part))])
}
