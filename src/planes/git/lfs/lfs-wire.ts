import type { z } from 'zod'

import { invalid, ServiceError } from '../../../domain/errors.ts'

/** The media type of every message of Git LFS. */
export const lfsType = 'application/vnd.git-lfs+json'

/** Larger than a batch of as many objects as one may have. */
const maxBodyBytes = 512 * 1024
const maxBodyMs = 30_000

export const lfsResponse = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': lfsType } })

/**
 * The body of a request, checked. Another media type is refused: a page of another site could have a
 * browser send it, with what the browser knows as the password.
 */
export async function readLfsBody<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== lfsType)
    throw new ServiceError('UnsupportedMediaType', `the body must be ${lfsType}`)
  const parsed = schema.safeParse(parse(await readText(request)))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw invalid(issue?.path.join('.') || 'body', `is wrong: ${issue?.message ?? 'not understood'}`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw invalid('body', 'must be JSON', cause)
  }
}

async function readText({ body }: Request): Promise<string> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(invalid('body', `must arrive within ${maxBodyMs / 1000} seconds`)),
    maxBodyMs,
  )
  try {
    return await Promise.race([collect(body ?? new Blob([]).stream()), late.promise])
  } catch (thrown) {
    throw thrown instanceof ServiceError ? thrown : invalid('body', 'must be complete', thrown)
  } finally {
    clearTimeout(timer)
  }
}

async function collect(body: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of body) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBodyBytes)
      throw new ServiceError('PayloadTooLarge', `the body must have at most ${maxBodyBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
