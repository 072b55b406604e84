import { generateKeyPairSync, sign } from 'node:crypto'

export interface CertificateRequest {
  /** PKCS #10 in DER. */
  readonly der: Buffer
  /** PEM of the new key that it is for. */
  readonly keyPem: string
}

/** Tags of DER (X.690 §8). */
const tags = { integer: 0x02, bits: 0x03, octets: 0x04, oid: 0x06, sequence: 0x30, set: 0x31 }
/** The [0] of the attributes of a request (RFC 2986 §4.1), and the [2] of a DNS name (RFC 5280 §4.2.1.6). */
const attributesTag = 0xa0
const dnsNameTag = 0x82

const oids = {
  ecdsaWithSha256: '2a8648ce3d040302',
  extensionRequest: '2a864886f70d01090e',
  subjectAltName: '551d11',
} as const

/**
 * A request for a certificate of that host name, signed with a new key on P-256. It has no common name:
 * that holds 64 characters, a host name 253.
 */
export function createCertificateRequest(hostname: string): CertificateRequest {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const names = sequence(der(dnsNameTag, Buffer.from(hostname, 'latin1')))
  const extensions = sequence(sequence(oid('subjectAltName'), der(tags.octets, names)))
  const info = sequence(
    der(tags.integer, Buffer.of(0)),
    sequence(),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(attributesTag, sequence(oid('extensionRequest'), der(tags.set, extensions))),
  )
  const noUnusedBits = Buffer.of(0)
  const signature = der(tags.bits, noUnusedBits, sign('sha256', info, privateKey))
  return {
    der: sequence(info, sequence(oid('ecdsaWithSha256')), signature),
    keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  }
}

const sequence = (...content: readonly Buffer[]): Buffer => der(tags.sequence, ...content)

const oid = (name: keyof typeof oids): Buffer => der(tags.oid, Buffer.from(oids[name], 'hex'))

/** One value. A request of one host name stays below the 65,536 bytes that two bytes of length can say. */
function der(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content)
  const { length } = body
  const head =
    length < 0x80
      ? [tag, length]
      : length < 0x1_00
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(head), body])
}
