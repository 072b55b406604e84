export type ObjectKind = 'commit' | 'tree' | 'blob' | 'tag'

/** The lower-case hex SHA-1 that git names an object by. */
export function objectId(kind: ObjectKind, body: Uint8Array): string {
  return objectHasher(kind, body.length).update(body).digest('hex')
}

/** For bodies that come in parts: feed them to what this returns, then ask for its digest. */
export const objectHasher = (kind: ObjectKind, sizeBytes: number): Bun.CryptoHasher =>
  new Bun.CryptoHasher('sha1').update(`${kind} ${sizeBytes}\0`)

export const emptyTreeId = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
export const nullObjectId = '0'.repeat(40)
/** A whole id, as git writes it. */
export const objectIdPattern = /^[0-9a-f]{40}$/u
