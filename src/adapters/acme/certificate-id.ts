import { X509Certificate } from 'node:crypto'

/** DER of the object identifier 2.5.29.35, authorityKeyIdentifier. */
const keyIdentifierOid = Buffer.from('0603551d23', 'hex')
const octetString = 0x04
const sequence = 0x30
/** [0], the identifier itself (RFC 5280 §4.2.1.1). */
const identifierTag = 0x80

/**
 * How an authority names a certificate it is asked about: the identifier of the key that signed it and
 * its serial number (RFC 9773 §4.1). `undefined` where the certificate does not have the former.
 */
export function certificateId(chain: string): string | undefined {
  const certificate = new X509Certificate(chain)
  const identifier = signerIdentifier(certificate.raw)
  if (identifier === undefined) return undefined
  return `${identifier.toString('base64url')}.${serialBytes(certificate).toString('base64url')}`
}

/** All lengths in the extension are below 128, and so one byte each. */
function signerIdentifier(der: Buffer): Buffer | undefined {
  const start = der.indexOf(keyIdentifierOid)
  if (start < 0) return undefined
  const [outer, , inner, , tag, length = 0] = der.subarray(start + keyIdentifierOid.length)
  if (outer !== octetString || inner !== sequence || tag !== identifierTag) return undefined
  const from = start + keyIdentifierOid.length + 6
  return der.subarray(from, from + length)
}

/** As DER has it: a first bit that is set would make it negative, so a zero byte goes before. */
function serialBytes({ serialNumber }: X509Certificate): Buffer {
  const hex = serialNumber.length % 2 === 0 ? serialNumber : `0${serialNumber}`
  const bytes = Buffer.from(hex, 'hex')
  return (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes
}
