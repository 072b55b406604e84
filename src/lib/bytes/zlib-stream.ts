const largestStored = 0xffff
const header = [0x78, 0x01] as const

/**
 * The bytes as a zlib stream (RFC 1950), the same that `node:zlib` reads. Made of whole bodies, it costs
 * a fraction of a streaming compressor, which sets up hundreds of kilobytes for every small object.
 *
 * @param level - 0 stores the bytes as they are (RFC 1951 §3.2.4), 1 is the fastest compression.
 */
export function zlibStream(body: Uint8Array, level: 0 | 1): Buffer {
  return level === 0 ? stored(body) : compressed(body)
}

function compressed(body: Uint8Array): Buffer {
  const deflated = Bun.deflateSync(new Uint8Array(body), { level: 1, library: 'libdeflate' })
  const stream = Buffer.allocUnsafe(header.length + deflated.length + 4)
  stream.set(header)
  stream.set(deflated, header.length)
  stream.writeUInt32BE(Bun.hash.adler32(body), header.length + deflated.length)
  return stream
}

function stored(body: Uint8Array): Buffer {
  const blockCount = Math.max(1, Math.ceil(body.length / largestStored))
  const stream = Buffer.allocUnsafe(header.length + blockCount * 5 + body.length + 4)
  stream.set(header)
  let offset: number = header.length
  for (let block = 0; block < blockCount; block += 1) {
    const part = body.subarray(block * largestStored, (block + 1) * largestStored)
    stream[offset] = block === blockCount - 1 ? 1 : 0
    stream.writeUInt16LE(part.length, offset + 1)
    stream.writeUInt16LE(part.length ^ largestStored, offset + 3)
    stream.set(part, offset + 5)
    offset += 5 + part.length
  }
  stream.writeUInt32BE(Bun.hash.adler32(body), offset)
  return stream
}
