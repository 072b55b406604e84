import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url')
const sha256 = (data: Uint8Array | string): Buffer => createHash('sha256').update(data).digest()

/** What goes into a response; each can be made wrong. */
export interface ResponseParts {
  readonly challenge: string
  readonly origin: string
  readonly rpId: string
  readonly type?: string
  readonly crossOrigin?: boolean
  readonly userPresent?: boolean
  readonly userVerified?: boolean
  readonly counter?: number
  readonly userHandle?: string | undefined
  /** In place of the authenticator's own. */
  readonly id?: string
}

/** A `PublicKeyCredential` as JSON. */
export interface PasskeyResponse {
  readonly id: string
  readonly response: Record<string, string | readonly string[]>
}

/** An ES256 authenticator in software, as a test needs it: honest unless told otherwise. */
export interface SoftwareAuthenticator {
  readonly id: string
  /** The `PublicKeyCredential` of a registration, as JSON. */
  register(parts: ResponseParts): PasskeyResponse
  /** The `PublicKeyCredential` of an authentication, as JSON; counts up. */
  authenticate(parts: ResponseParts): PasskeyResponse
}

export function createSoftwareAuthenticator(): SoftwareAuthenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const rawId = randomBytes(32)
  const ownId = base64url(rawId)
  let uses = 0

  return {
    id: ownId,
    register(parts) {
      const attested = Buffer.concat([
        Buffer.alloc(16),
        uint(16, rawId.length),
        rawId,
        coseKey(Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')),
      ])
      const authData = Buffer.concat([authenticatorData(parts, 0x40, parts.counter ?? 0), attested])
      return credential(parts.id ?? ownId, {
        clientDataJSON: clientData(parts, 'webauthn.create'),
        attestationObject: base64url(attestationObject(authData)),
        transports: ['internal'],
      })
    },
    authenticate(parts) {
      uses += 1
      const authData = authenticatorData(parts, 0, parts.counter ?? uses)
      const clientDataJSON = clientData(parts, 'webauthn.get')
      const signed = Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, 'base64url'))])
      return credential(parts.id ?? ownId, {
        clientDataJSON,
        authenticatorData: base64url(authData),
        signature: base64url(createSign('sha256').update(signed).sign(privateKey)),
        ...(parts.userHandle === undefined ? {} : { userHandle: parts.userHandle }),
      })
    },
  }
}

const credential = (id: string, response: PasskeyResponse['response']) => ({
  id,
  rawId: id,
  type: 'public-key',
  authenticatorAttachment: 'platform',
  clientExtensionResults: {},
  response,
})

const clientData = (
  { type, challenge, origin, crossOrigin = false }: ResponseParts,
  usual: string,
) => base64url(JSON.stringify({ type: type ?? usual, challenge, origin, crossOrigin }))

/** WebAuthn §6.1: hash of the RP id, flags, counter. */
function authenticatorData(
  { rpId, userPresent = true, userVerified = true }: ResponseParts,
  moreFlags: number,
  counter: number,
): Buffer {
  const flags = (userPresent ? 0x01 : 0) | (userVerified ? 0x04 : 0) | moreFlags
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), uint(32, counter)])
}

function uint(bits: 16 | 32, value: number): Buffer {
  const buffer = Buffer.alloc(bits / 8)
  if (bits === 16) buffer.writeUInt16BE(value)
  else buffer.writeUInt32BE(value)
  return buffer
}

/** CBOR `{1: 2, 3: -7, -1: 1, -2: x, -3: y}`: an EC2 key on P-256 for ES256 (RFC 9053 §7.1). */
const coseKey = (x: Uint8Array, y: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
    x,
    Buffer.from([0x22, 0x58, 0x20]),
    y,
  ])

/** CBOR `{"fmt": "none", "attStmt": {}, "authData": …}`. */
const attestationObject = (authData: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from([0xa3, 0x63]),
    Buffer.from('fmt'),
    Buffer.from([0x64]),
    Buffer.from('none'),
    Buffer.from([0x67]),
    Buffer.from('attStmt'),
    Buffer.from([0xa0, 0x68]),
    Buffer.from('authData'),
    Buffer.from([0x59]),
    uint(16, authData.length),
    authData,
  ])
