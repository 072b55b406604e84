import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { chunked } from '../../../../test/support/aws-chunked.ts'
import { Secret } from '../../../lib/secrets/secret.ts'
import { S3Error } from '../s3-error.ts'
import { signingKey } from '../signature/signing-key.ts'
import { contentOf } from './content.ts'

const secretAccessKey = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
const time = '20130524T000000Z'
const scope = { date: '20130524', region: 'us-east-1' }
const key = signingKey(new Secret(secretAccessKey), scope)

const unsignedTrailer = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER'
const signedChunks = 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD'
const signedTrailer = `${signedChunks}-TRAILER`

interface Sent {
  readonly payloadHash?: string
  readonly headers?: Readonly<Record<string, string>>
  /** In the pieces in which it comes. */
  readonly pieces: readonly Uint8Array[]
  readonly signature?: string
  readonly url?: string
  readonly method?: string
}

function contentSent({
  payloadHash = 'UNSIGNED-PAYLOAD',
  headers = {},
  pieces,
  signature = '',
  url = 'http://localhost/s3/acme/a',
  method = 'PUT',
}: Sent) {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new Uint8Array(piece))
      controller.close()
    },
  })
  const request = new Request(url, { method, headers, body })
  return contentOf(request, { payloadHash, time, scope, signature, key })
}

async function read(sent: Sent) {
  const content = contentSent(sent)
  const text = await new Response(content.stream()).bytes()
  return { text: Buffer.from(text).toString('latin1'), ...content.digests() }
}

const codeOf = async (sent: Sent): Promise<string> => {
  try {
    await read(sent)
    return 'taken'
  } catch (thrown) {
    if (thrown instanceof S3Error) return thrown.code
    throw thrown
  }
}

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'))
const hello = bytesOf('hello')
const md5OfHello = '5d41402abc4b2a76b9719d911017c592'
const sha256OfHello = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'

test('content comes as it is sent, with its MD5', async () => {
  expect(await read({ headers: { 'Content-Length': '5' }, pieces: [hello] })).toEqual({
    text: 'hello',
    md5: md5OfHello,
    checksum: undefined,
  })
  expect(await read({ pieces: [] })).toMatchObject({ md5: 'd41d8cd98f00b204e9800998ecf8427e' })
})

test('content that is longer or shorter than it says is refused', async () => {
  for (const length of ['4', '6', '0'])
    expect(await codeOf({ headers: { 'Content-Length': length }, pieces: [hello] })).toBe(
      'IncompleteBody',
    )
  for (const length of ['4', '6'])
    expect(
      await codeOf({
        payloadHash: unsignedTrailer,
        headers: { 'x-amz-decoded-content-length': length },
        pieces: [chunked(hello)],
      }),
    ).toBe('IncompleteBody')
  for (const length of ['-1', '1e3', '0x10', ' ', '9'.repeat(16)])
    expect(
      await codeOf({
        payloadHash: unsignedTrailer,
        headers: { 'x-amz-decoded-content-length': length },
        pieces: [chunked(hello)],
      }),
    ).toBe('InvalidArgument')
})

test('the hash that was signed is that of the content', async () => {
  expect((await read({ payloadHash: sha256OfHello, pieces: [hello] })).text).toBe('hello')
  const wrong = sha256OfHello.replace('2', '3')
  expect(await codeOf({ payloadHash: wrong, pieces: [hello] })).toBe('XAmzContentSHA256Mismatch')
  for (const word of ['', 'x', sha256OfHello.toUpperCase(), `${signedChunks}-`, 'constructor'])
    expect(await codeOf({ payloadHash: word, pieces: [hello] })).toBe('InvalidArgument')
})

/** Each of the five bytes of `hello`. */
const checksums = {
  crc32: 'NhCmhg==',
  crc32c: 'mnG7TA==',
  crc64nvme: 'M3eFcAZSQlc=',
  sha1: 'qvTGHdzF6KLavt4PO0gs2a6pQ00=',
  sha256: 'LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=',
} as const

test('every checksum is checked, in the header and in the trailer, and said when it was right', async () => {
  for (const [name, value] of Object.entries(checksums)) {
    const field = `x-amz-checksum-${name}`
    const right = { algorithm: name.toUpperCase(), value }
    const inHeader = (sent: string): Sent => ({ headers: { [field]: sent }, pieces: [hello] })
    const inTrailer = (sent: string): Sent => ({
      payloadHash: unsignedTrailer,
      headers: {
        'x-amz-decoded-content-length': '5',
        'x-amz-trailer': field,
        'x-amz-sdk-checksum-algorithm': name.toUpperCase(),
      },
      pieces: [chunked(hello, { trailer: [`${field}:${sent}`] })],
    })
    for (const sent of [inHeader, inTrailer]) {
      expect((await read(sent(value))).checksum as unknown).toEqual(right)
      const [first = ''] = value
      expect(await codeOf(sent(value.replace(first, first === 'A' ? 'B' : 'A')))).toBe('BadDigest')
      for (const malformed of ['', 'x', `${value}=`, `${value}AAAA`, value.slice(1)])
        expect(await codeOf(sent(malformed))).toBe('InvalidRequest')
    }
  }
})

test('what is said of checksums has to make sense', async () => {
  for (const [headers, code] of [
    [{ 'Content-MD5': 'XUFAKrxLKna5cZ2REBfFkg==' }, 'taken'],
    [{ 'Content-MD5': 'AUFAKrxLKna5cZ2REBfFkg==' }, 'BadDigest'],
    [{ 'Content-MD5': md5OfHello }, 'InvalidDigest'],
    [{ 'Content-MD5': '' }, 'InvalidDigest'],
    [
      { 'x-amz-checksum-crc32': checksums.crc32, 'x-amz-checksum-sha1': checksums.sha1 },
      'InvalidRequest',
    ],
    [{ 'x-amz-sdk-checksum-algorithm': 'CRC32' }, 'InvalidRequest'],
    [{ 'x-amz-sdk-checksum-algorithm': 'MD5' }, 'InvalidRequest'],
    [
      { 'x-amz-sdk-checksum-algorithm': 'SHA1', 'x-amz-checksum-crc32': checksums.crc32 },
      'InvalidRequest',
    ],
    [{ 'x-amz-sdk-checksum-algorithm': 'crc32', 'x-amz-checksum-crc32': checksums.crc32 }, 'taken'],
  ] as const)
    expect(await codeOf({ headers, pieces: [hello] })).toBe(code)
})

test('the checksum with which an upload is completed is not that of the request', async () => {
  const headers = { 'x-amz-checksum-crc32': 'AAAAAA==' }
  const url = 'http://localhost/s3/acme/a?uploadId=1'
  expect(await codeOf({ method: 'POST', url, headers, pieces: [hello] })).toBe('taken')
  expect(await codeOf({ method: 'PUT', url, headers, pieces: [hello] })).toBe('BadDigest')
})

/** From "Signature Calculations: Transferring Payload in Multiple Chunks" of the documentation of Amazon S3. */
const letters = bytesOf('a'.repeat(66_560))
const exampleOf = (sizes: readonly (readonly [number, string])[], trailer = '\r\n') =>
  Buffer.concat(
    sizes.flatMap(([size, signature]) => [
      Buffer.from(`${size.toString(16)};chunk-signature=${signature}\r\n`),
      letters.subarray(0, size),
      Buffer.from(size === 0 ? trailer : '\r\n'),
    ]),
  )
const documented = exampleOf([
  [65_536, 'ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648'],
  [1024, '0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497'],
  [0, 'b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9'],
])
const documentedSeed = '4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9'
const sizeOfLetters = { 'x-amz-decoded-content-length': '66560' }

test('the example of signed chunks in the documentation is taken, and nothing that differs', async () => {
  const sent = (bytes: Uint8Array, signature = documentedSeed): Sent => ({
    payloadHash: signedChunks,
    headers: sizeOfLetters,
    signature,
    pieces: [bytes],
  })
  expect((await read(sent(documented))).text).toBe('a'.repeat(66_560))
  expect(await codeOf(sent(documented, documentedSeed.replace('4', '5')))).toBe(
    'SignatureDoesNotMatch',
  )
  for (const at of [90, 65_635, 65_720, 66_740, documented.length - 8]) {
    const changed = Buffer.from(documented)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(await codeOf(sent(changed))).not.toBe('taken')
  }
})

test('the example of signed chunks with a trailer is taken, however its lines end', async () => {
  const sizes = [
    [65_536, 'b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2'],
    [1024, '1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7'],
    [0, '2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992'],
  ] as const
  const trailerSignature = 'd81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435'
  const sent = (trailer: string): Sent => ({
    payloadHash: signedTrailer,
    headers: { ...sizeOfLetters, 'x-amz-trailer': 'x-amz-checksum-crc32c' },
    signature: '106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e',
    pieces: [exampleOf(sizes, trailer)],
  })
  const checksum = 'x-amz-checksum-crc32c:sOO8/Q=='
  const signature = `x-amz-trailer-signature:${trailerSignature}`
  for (const ending of ['\r\n', '\n\r\n', '\n'])
    expect((await read(sent(`${checksum}${ending}${signature}\r\n\r\n`))).checksum).toEqual({
      algorithm: 'CRC32C',
      value: 'sOO8/Q==',
    })
  for (const [trailer, code] of [
    [`${checksum}\r\n\r\n`, 'MalformedTrailerError'],
    [`${signature}\r\n\r\n`, 'MalformedTrailerError'],
    [`${checksum}\r\n${signature.replace('d8', 'd9')}\r\n\r\n`, 'SignatureDoesNotMatch'],
    [`${checksum}\r\n${signature.slice(0, -64)}${'é'.repeat(64)}\r\n\r\n`, 'SignatureDoesNotMatch'],
    [`${checksum}\r\nx-amz-other:1\r\n\r\n`, 'MalformedTrailerError'],
    ['\r\n', 'MalformedTrailerError'],
  ] as const)
    expect(await codeOf(sent(trailer))).toBe(code)
})

const small = (framed: string, trailer?: string): Sent => ({
  payloadHash: unsignedTrailer,
  headers: {
    'x-amz-decoded-content-length': '5',
    ...(trailer !== undefined && { 'x-amz-trailer': trailer }),
  },
  pieces: [bytesOf(framed)],
})

test('a trailer has what was announced and nothing else', async () => {
  const name = 'x-amz-checksum-crc32'
  const line = `${name}:${checksums.crc32}\r\n`
  for (const [framed, announced, code] of [
    [`5\r\nhello\r\n0\r\n${line}\r\n`, name, 'taken'],
    [`5\r\nhello\r\n0\r\n${line}`, name, 'taken'],
    ['5\r\nhello\r\n0\r\n\r\n', undefined, 'taken'],
    ['5\r\nhello\r\n0\r\n', undefined, 'taken'],
    ['5\r\nhello\r\n0\r\n\r\n', name, 'MalformedTrailerError'],
    [`5\r\nhello\r\n0\r\n${line}\r\n`, undefined, 'MalformedTrailerError'],
    [`5\r\nhello\r\n0\r\n${line}${line}\r\n`, name, 'MalformedTrailerError'],
    ['5\r\nhello\r\n0\r\nx-amz-checksum-crc32c:mnG7TA==\r\n\r\n', name, 'MalformedTrailerError'],
    ['5\r\nhello\r\n0\r\n\r\ngarbage', undefined, 'MalformedTrailerError'],
    [`5\r\nhello\r\n0\r\n${' '.repeat(5000)}`, undefined, 'MalformedTrailerError'],
    ['5\r\nhello\r\n0\r\n\r\n', 'x-amz-meta-a', 'InvalidRequest'],
    ['5\r\nhello\r\n0\r\n\r\n', `${name},x-amz-checksum-sha1`, 'InvalidRequest'],
  ] as const)
    expect([framed, announced, await codeOf(small(framed, announced))]).toEqual([
      framed,
      announced,
      code,
    ])
})

test('framing that is none is refused, and so is what breaks off', async () => {
  for (const [framed, code] of [
    ['', 'IncompleteBody'],
    ['5', 'IncompleteBody'],
    ['5\r\nhel', 'IncompleteBody'],
    ['5\r\nhello', 'IncompleteBody'],
    ['5\r\nhello\r\n', 'IncompleteBody'],
    ['5\r\nhello\r\n0', 'IncompleteBody'],
    ['5\r\nhello\r\n5\r\nhello\r\n0\r\n\r\n', 'IncompleteBody'],
    ['ffffffffff\r\nhello\r\n0\r\n\r\n', 'IncompleteBody'],
    ['fffffffffffffffffffff\r\nhello', 'InvalidRequest'],
    ['-5\r\nhello\r\n0\r\n\r\n', 'InvalidRequest'],
    ['0x5\r\nhello\r\n0\r\n\r\n', 'InvalidRequest'],
    ['\r\nhello', 'InvalidRequest'],
    ['5\nhello\n0\n\n', 'InvalidRequest'],
    ['5\r\nhelloXY0\r\n\r\n', 'InvalidRequest'],
    ['5\r\nhello \r\n0\r\n\r\n', 'InvalidRequest'],
    [`5\r\nhello\r\n0;chunk-signature=${'0'.repeat(64)}\r\n\r\n`, 'InvalidRequest'],
    [`${'0'.repeat(300)}5\r\nhello\r\n0\r\n\r\n`, 'InvalidRequest'],
    ['hello', 'IncompleteBody'],
  ] as const)
    expect([framed, await codeOf(small(framed))]).toEqual([framed, code])
})

test('of signed chunks only the last may be small', async () => {
  const signing = { secretAccessKey, time, region: scope.region, seedSignature: '0'.repeat(64) }
  const sent = (body: Uint8Array, chunkBytes: number): Sent => ({
    payloadHash: signedChunks,
    headers: { 'x-amz-decoded-content-length': String(body.length) },
    signature: signing.seedSignature,
    pieces: [chunked(body, { chunkBytes, signing })],
  })
  expect(await codeOf(sent(letters, 8192))).toBe('taken')
  expect(await codeOf(sent(letters, 8191))).toBe('InvalidChunkSizeError')
  expect(await codeOf(sent(hello, 5))).toBe('taken')
  expect(await codeOf(sent(hello, 3))).toBe('InvalidChunkSizeError')
  expect(await codeOf(sent(bytesOf(''), 3))).toBe('taken')
})

test('it does not matter where the bytes are cut on their way', async () => {
  const signing = { secretAccessKey, time, region: scope.region, seedSignature: '0'.repeat(64) }
  const trailer = [`x-amz-checksum-crc64nvme:${checksums.crc64nvme}`]
  const framed = [
    chunked(hello, { chunkBytes: 2, trailer }),
    chunked(hello, { signing, trailer }),
  ] as const
  const sent = (index: 0 | 1, pieces: readonly Uint8Array[]): Sent => ({
    payloadHash: index === 0 ? unsignedTrailer : signedTrailer,
    headers: {
      'x-amz-decoded-content-length': '5',
      'x-amz-trailer': 'x-amz-checksum-crc64nvme',
    },
    signature: signing.seedSignature,
    pieces,
  })
  for (const index of [0, 1] as const) {
    const bytes = framed[index]
    for (let at = 0; at <= bytes.length; at += 1) {
      const whole = await read(sent(index, [bytes.subarray(0, at), bytes.subarray(at)]))
      expect(whole).toMatchObject({ text: 'hello', checksum: { value: checksums.crc64nvme } })
      // Whether the two line ends after all that counts have come is nobody's harm.
      if (at < bytes.length - 4)
        expect(await codeOf(sent(index, [bytes.subarray(0, at)]))).not.toBe('taken')
    }
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 12 }), async (cuts) => {
        const ends = [...cuts.toSorted((one, other) => one - other), bytes.length]
        const pieces = ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end))
        expect((await read(sent(index, pieces))).text).toBe('hello')
      }),
      { numRuns: 50 },
    )
  }
})

test('no bytes whatever make anything but content or a refusal', async () => {
  const word = fc.constantFrom(
    '5',
    '0',
    '\r',
    '\n',
    '\r\n',
    ';',
    'f',
    'hello',
    'x-amz-checksum-crc32:',
    ' ',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 20 }), async (words) => {
      await codeOf(small(words.join('')))
      await codeOf({ ...small(words.join('')), payloadHash: signedTrailer })
    }),
  )
})
