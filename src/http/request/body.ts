import { invalid, ServiceError } from '../../domain/errors.ts'
import { isDeeperThan } from './json-depth.ts'
import type { BodySpec } from '../operation.ts'
import { validate } from './validation.ts'

const defaultMaxJsonBytes = 1024 * 1024
export const maxJsonDepth = 32
/** What a fault of the body as a whole is called. */
const target = 'body'

/** The body an operation asks for, checked; `undefined` where it asks for none. */
export function readBody(spec: BodySpec | undefined, request: Request): unknown {
  if (spec === undefined) return undefined
  return spec.kind === 'json' ? jsonBody(request, spec) : bytesBody(request, spec.maxBytes)
}

/**
 * The body as a stream that fails with `PayloadTooLarge` as soon as it is over `maxBytes`. One whose
 * announced length is over it is refused at once, unread.
 */
function bytesBody(request: Request, maxBytes: number | undefined): ReadableStream<Uint8Array> {
  if (maxBytes !== undefined) checkAnnouncedLength(request, maxBytes)
  const source = request.body
  if (source === null) return new Blob([]).stream()
  if (maxBytes === undefined) return source
  // The server holds a body to its announced length, so that one needs no counting.
  return announcedLength(request) === undefined ? limited(source, maxBytes) : source
}

type JsonSpec = Extract<BodySpec, { readonly kind: 'json' }>

async function jsonBody(
  request: Request,
  { schema, maxBytes = defaultMaxJsonBytes, isLenient = false }: JsonSpec,
): Promise<unknown> {
  checkAnnouncedLength(request, maxBytes)
  const bytes = await readBytes(request, maxBytes)
  if (isLenient) return validate(schema, bytes.length === 0 ? {} : parseJson(bytes), target)
  if (bytes.length > 0) checkMediaType(request.headers.get('content-type'))
  return validate(schema, parseJson(bytes), target)
}

/** Malformed or overly deep JSON is `InvalidParameter`. A key given twice has its last value. */
export function parseJson(bytes: Uint8Array): unknown {
  if (isDeeperThan(maxJsonDepth, bytes))
    throw invalid(target, `must not nest deeper than ${maxJsonDepth} levels`)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw invalid(target, 'must be well-formed JSON in UTF-8', cause)
  }
}

function checkMediaType(contentType: string | null): void {
  if (contentType === null || contentType.trim() === '') return
  const [mediaType = ''] = contentType.split(';')
  if (!/^application\/(?:[\w.!#$&^-]+\+)?json$/iu.test(mediaType.trim()))
    throw new ServiceError('UnsupportedMediaType', 'Content-Type must be application/json', {
      target: 'Content-Type',
    })
}

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  try {
    if (announcedLength(request) !== undefined || request.body === null)
      return await request.bytes()
    return await new Response(limited(request.body, maxBytes)).bytes()
  } catch (thrown) {
    // A caller that hangs up half-way has sent an incomplete body; nothing of ours has failed.
    throw thrown instanceof ServiceError ? thrown : invalid(target, 'must be complete', thrown)
  }
}

function limited(source: ReadableStream<Uint8Array>, maxBytes: number): ReadableStream<Uint8Array> {
  let count = 0
  return source.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        count += chunk.byteLength
        if (count > maxBytes) throw payloadTooLarge(maxBytes)
        controller.enqueue(chunk)
      },
    }),
  )
}

/** Of a chunked body the announced length says nothing (RFC 9112 §6.3). */
export function announcedLength({ headers }: Request): number | undefined {
  if (headers.has('transfer-encoding')) return undefined
  const length = headers.get('content-length')
  return length !== null && /^\d+$/u.test(length) ? Number(length) : undefined
}

function checkAnnouncedLength(request: Request, maxBytes: number): void {
  if ((announcedLength(request) ?? 0) > maxBytes) throw payloadTooLarge(maxBytes)
}

const payloadTooLarge = (maxBytes: number): ServiceError =>
  new ServiceError('PayloadTooLarge', `${target} must be at most ${maxBytes} bytes`, {
    target,
    context: { MaxSize: maxBytes },
  })
