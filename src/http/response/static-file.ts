import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

import { preferredEncoding } from '../request/accept.ts'
import { minCompressedBytes, weakened } from './compression.ts'
import { evaluatePreconditions } from '../request/conditional.ts'

type Coding = 'br' | 'gzip'
const codings: readonly Coding[] = ['br', 'gzip']

/** A file of the service's own pages. It is sent many times, so it is compressed well, and once. */
export interface StaticFile {
  readonly contentType: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Strong, from the SHA-256. */
  readonly etag: string
  /** In the codings that were asked for so far. */
  readonly coded: Map<Coding, Promise<Uint8Array<ArrayBuffer>>>
}

export const staticFile = (
  content: string | Uint8Array<ArrayBuffer>,
  contentType: string,
): StaticFile => {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`
  return { contentType, bytes, etag, coded: new Map() }
}

/** The file in the coding the client likes best, or 304; `headers` come with either. */
export async function staticResponse(
  request: Request,
  file: StaticFile,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const all: Record<string, string> = {
    ...headers,
    'Content-Type': file.contentType,
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Accept-Encoding',
    ETag: file.etag,
  }
  const current = { etag: file.etag, lastModified: undefined }
  if (evaluatePreconditions(request, current) === 'not-modified')
    return new Response(null, { status: 304, headers: all })
  const coding = codingFor(file, request.headers.get('accept-encoding'))
  const bytes = coding === undefined ? file.bytes : await inCoding(file, coding)
  all['Content-Length'] = String(bytes.byteLength)
  if (coding !== undefined) {
    all['Content-Encoding'] = coding
    all['ETag'] = weakened(file.etag)
  }
  return new Response(request.method === 'HEAD' ? null : bytes, { headers: all })
}

/** Fonts and pictures are compressed already. */
const isText = (contentType: string): boolean => /^text\/|json|svg/u.test(contentType)

function codingFor({ contentType, bytes }: StaticFile, field: string | null): Coding | undefined {
  if (bytes.byteLength < minCompressedBytes || !isText(contentType)) return undefined
  const coding = preferredEncoding(field, codings)
  return coding === 'identity' ? undefined : coding
}

function inCoding({ coded, bytes }: StaticFile, coding: Coding): Promise<Uint8Array<ArrayBuffer>> {
  const made = coded.get(coding) ?? compressors[coding](bytes)
  coded.set(coding, made)
  return made
}

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** One level below the best: the best takes five times as long for six hundredths less. */
const compressors: Readonly<
  Record<Coding, (bytes: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>>
> = {
  br: (bytes) => compressBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes) => compressGzip(bytes, { level: 9 }),
}
