/** Vectors that come with the service, of what its documentation says: a first start need not make them. */
export interface ReadyMadeVectors {
  /** The model and engine that made them. */
  readonly space: string
  /** Packed; `undefined` for a text that was not there when they were made. */
  vectorOf(text: string): Uint8Array | undefined
}

/** Of a hash of a text so much is kept: enough to tell some thousand texts apart. */
const keyBytes = 8

/** A line that names the space and says how long a record is, then the records: a key and a vector each. */
export function writeReadyMade(
  space: string,
  vectors: ReadonlyMap<string, Uint8Array>,
): Uint8Array<ArrayBuffer> {
  const [first] = vectors.values()
  const recordBytes = keyBytes + (first?.length ?? 0)
  const records = [...vectors].map(([text, vector]) => Buffer.concat([keyOf(text), vector]))
  records.sort((a, b) => Buffer.compare(a, b))
  return Buffer.concat([Buffer.from(`${recordBytes} ${space}\n`), ...records])
}

/** `undefined` where the bytes are not what {@link writeReadyMade} writes. */
export function readReadyMade(bytes: Uint8Array): ReadyMadeVectors | undefined {
  const end = bytes.indexOf(10)
  const [length, ...space] = new TextDecoder()
    .decode(bytes.subarray(0, Math.max(0, end)))
    .split(' ')
  const recordBytes = Number(length)
  const start = end + 1
  if (!(recordBytes > keyBytes) || (bytes.length - start) % recordBytes !== 0) return undefined
  const vectorByKey = new Map<string, Uint8Array>()
  for (let at = start; at < bytes.length; at += recordBytes) {
    const key = Buffer.from(bytes.subarray(at, at + keyBytes)).toString('hex')
    vectorByKey.set(key, bytes.slice(at + keyBytes, at + recordBytes))
  }
  return {
    space: space.join(' '),
    vectorOf: (text) => vectorByKey.get(keyOf(text).toString('hex')),
  }
}

const keyOf = (text: string): Buffer =>
  Buffer.from(Bun.SHA256.hash(text, 'hex'), 'hex').subarray(0, keyBytes)
