import { z } from 'zod'

import { requireAllZones } from '../../domain/access/actor.ts'
import type { HandedOutImages } from '../../domain/edges/images/handed-out-images.ts'
import { ServiceError } from '../../domain/errors.ts'
import { type HandledOperation, operation } from '../../http/operation.ts'
import { common } from './access.ts'

export interface EdgeImageDependencies {
  readonly handedOutImages: HandedOutImages
}

const hexSha256 = z.string().regex(/^[0-9a-f]{64}$/u, 'must be a SHA-256 in lower-case hex')

const getPictureFacts = operation({
  ...common,
  id: 'getPictureFacts',
  method: 'get',
  path: '/api/edges/facts/{sha256}',
  summary: 'What is known of an image',
  description:
    'By the SHA-256 of its bytes: what is in it, and where its owner says the subject is. With it an edge cuts as the service does.',
  params: z.object({ sha256: hexSha256 }),
  responses: {
    200: {
      description: 'The facts',
      contentType: 'application/json',
      schema: z.looseObject({ sha256: z.string() }),
    },
  },
}).handledBy(
  ({ handedOutImages }: EdgeImageDependencies) =>
    async ({ params: { sha256 }, caller }) => {
      requireAllZones(caller)
      const text = await handedOutImages.facts(sha256)
      if (text === undefined) throw new ServiceError('NotFound', 'Nothing is known of this image')
      return new Response(text, {
        headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
      })
    },
)

const getSmallerCopy = operation({
  ...common,
  id: 'getSmallerCopy',
  method: 'get',
  path: '/api/edges/copies/{key}',
  summary: 'A smaller copy of an image',
  description: 'Named by `key` in the facts of the image. `ETag` is the digest of its bytes.',
  params: z.object({ key: hexSha256 }),
  responses: { 200: { description: 'The bytes', contentType: 'application/octet-stream' } },
}).handledBy(
  ({ handedOutImages }: EdgeImageDependencies) =>
    async ({ params: { key }, caller }) => {
      requireAllZones(caller)
      const copy = await handedOutImages.copy(key)
      if (copy === undefined) throw new ServiceError('NotFound', 'There is no such copy')
      return new Response(new Uint8Array(copy.bytes), {
        headers: {
          'Content-Type': 'application/octet-stream',
          'Cache-Control': 'no-store',
          ETag: `"${copy.digest}"`,
        },
      })
    },
)

const getStreamIndex = operation({
  ...common,
  id: 'getStreamIndex',
  method: 'get',
  path: '/api/edges/stream-indexes/{sha256}',
  summary: 'Where the frames of a video are',
  description:
    'By the SHA-256 of its bytes, in a form of our own: with it an edge packages a video without looking all over it.',
  params: z.object({ sha256: hexSha256 }),
  responses: { 200: { description: 'The index', contentType: 'application/octet-stream' } },
}).handledBy(
  ({ handedOutImages }: EdgeImageDependencies) =>
    async ({ params: { sha256 }, caller }) => {
      requireAllZones(caller)
      const index = await handedOutImages.streamIndex(sha256)
      if (index === undefined) throw new ServiceError('NotFound', 'This video was not looked at')
      return new Response(new Uint8Array(index), {
        headers: { 'Content-Type': 'application/octet-stream', 'Cache-Control': 'no-store' },
      })
    },
)

/** `/api/edges/facts`, `/api/edges/stream-indexes` and `/api/edges/copies`. */
export const imageOperations: readonly HandledOperation<EdgeImageDependencies>[] = [
  getPictureFacts,
  getSmallerCopy,
  getStreamIndex,
]
