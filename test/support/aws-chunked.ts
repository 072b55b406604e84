import { createHash, createHmac } from 'node:crypto'

/** With which chunks are signed, and what the first one follows. */
interface ChunkSigning {
  readonly secretAccessKey: string
  /** `20130524T000000Z` */
  readonly time: string
  readonly region: string
  readonly seedSignature: string
}

interface Options {
  readonly chunkBytes?: number
  readonly signing?: ChunkSigning
  /** Lines such as `x-amz-checksum-crc32:…`. */
  readonly trailer?: readonly string[]
}

/** A body as `aws-chunked` frames it. */
export function chunked(
  body: Uint8Array,
  { chunkBytes = 65_536, signing, trailer = [] }: Options = {},
): Uint8Array<ArrayBuffer> {
  const sign = signing && signerOf(signing)
  const parts: (string | Uint8Array)[] = []
  for (let at = 0; at <= body.length; at += chunkBytes) {
    const chunk = body.subarray(at, at + chunkBytes)
    if (chunk.length > 0) parts.push(lineOf(chunk, sign), chunk, '\r\n')
  }
  parts.push(lineOf(new Uint8Array(), sign))
  for (const line of trailer) parts.push(line, '\r\n')
  if (sign && trailer.length > 0)
    parts.push('x-amz-trailer-signature:', sign.trailer(`${trailer.join('\n')}\n`), '\r\n')
  parts.push('\r\n')
  return new Uint8Array(
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))),
  )
}

type Signer = ReturnType<typeof signerOf>

const lineOf = (chunk: Uint8Array, sign: Signer | undefined): string =>
  `${chunk.length.toString(16)}${sign ? `;chunk-signature=${sign.chunk(chunk)}` : ''}\r\n`

function signerOf({ secretAccessKey, time, region, seedSignature }: ChunkSigning) {
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`
  const key = scope
    .split('/')
    .reduce<Buffer>((former, part) => hmac(former, part), Buffer.from(`AWS4${secretAccessKey}`))
  let previous = seedSignature
  const next = (kind: string, ...hashes: readonly string[]): string => {
    const text = [`AWS4-HMAC-SHA256-${kind}`, time, scope, previous, ...hashes].join('\n')
    previous = hmac(key, text).toString('hex')
    return previous
  }
  return {
    chunk: (bytes: Uint8Array) => next('PAYLOAD', sha256(''), sha256(bytes)),
    trailer: (lines: string) => next('TRAILER', sha256(lines)),
  }
}

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const sha256 = (bytes: string | Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')
