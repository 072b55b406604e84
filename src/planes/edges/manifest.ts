import { cacheLifetimes } from '../../http/response/cache-lifetimes.ts'
import { z } from 'zod'

import { requireAllZones } from '../../domain/access/actor.ts'
import type { ChangeFeed } from '../../domain/edges/feed/change-feed.ts'
import {
  digestOf,
  type ManifestParts,
  erasedPart,
  rulesPart,
} from '../../domain/edges/manifest/manifest-parts.ts'
import { manifestRoot, rootMessage } from '../../domain/edges/manifest/manifest-root.ts'
import { ServiceError } from '../../domain/errors.ts'
import { compress, weakened } from '../../http/response/compression.ts'
import { respondWithLater } from '../../http/response/respond.ts'
import { readableBody } from '../../lib/bytes/byte-streams.ts'
import { wantsSha256 } from '../../lib/text/structured-fields.ts'
import { type HandledOperation, operation } from '../../http/operation.ts'
import type { BlobBytes, BlobStore } from '../../ports/content/blob-store.ts'
import { common } from './access.ts'
import { manifestLine } from './message-schemas.ts'

export interface EdgeManifestDependencies {
  readonly changes: Pick<ChangeFeed, 'position'>
  /** Whether every change is heard of at once here; an edge in between may have lost its origin. */
  readonly isCurrent: () => boolean
  readonly manifestParts: Pick<ManifestParts, 'names' | 'digest' | 'text'>
  readonly blobs: Pick<BlobStore, 'open'>
}

const root = z.object({
  Position: z.string().describe('The feed has to be followed from here on'),
  Root: z.string().describe('SHA-256 over all of `Parts`'),
  IsCurrent: z.boolean().describe('False at an edge that has lost its own origin'),
  Parts: z.record(z.string(), z.string()).describe('The SHA-256 of each part'),
})

const getManifest = operation({
  ...common,
  id: 'getManifest',
  method: 'get',
  path: '/api/edges/manifest',
  summary: 'The parts of what is published, by what they hash to',
  description:
    'One part a zone, one for the rule files, and one for what was erased where something was. Equal parts have equal hashes.',
  responses: { 200: { description: 'The root', schema: root } },
}).handledBy(
  ({ changes, isCurrent, manifestParts }: EdgeManifestDependencies) =>
    async ({ caller, respond }) => {
      requireAllZones(caller)
      const standing = { position: changes.position, isCurrent: isCurrent() }
      return respond(200, rootMessage(await manifestRoot(manifestParts, standing)))
    },
)

const getManifestPart = operation({
  ...common,
  id: 'getManifestPart',
  method: 'get',
  path: '/api/edges/manifest/{part}',
  summary: 'One part of what is published',
  description:
    'Lines of JSON: the zone with its host names, then each asset. `ETag` is the SHA-256 of the text.',
  params: z.object({ part: z.string().describe(`A zone, \`${rulesPart}\` or \`${erasedPart}\``) }),
  responses: {
    200: {
      description: 'The part',
      contentType: 'application/x-ndjson',
      lines: manifestLine,
    },
  },
}).handledBy(
  ({ manifestParts }: EdgeManifestDependencies) =>
    async ({ params: { part }, caller, request }) => {
      requireAllZones(caller)
      const text = await manifestParts.text(part)
      if (text === undefined) throw new ServiceError('NotFound', 'There is no part of this name')
      return await partAnswer(text, request.headers.get('accept-encoding'))
    },
)

/** A large part is mostly hashes and paths: it goes at half its size. */
async function partAnswer(text: string, acceptEncoding: string | null): Promise<Response> {
  const bytes = new TextEncoder().encode(text)
  const coded = await compress(bytes, acceptEncoding)
  const etag = `"${digestOf(text)}"`
  return new Response(coded?.bytes ?? bytes, {
    headers: {
      'Content-Type': 'application/x-ndjson',
      'Cache-Control': 'no-store',
      Vary: 'Accept-Encoding',
      ETag: coded === undefined ? etag : weakened(etag),
      ...(coded && { 'Content-Encoding': coded.coding }),
    },
  })
}

const getBlob = operation({
  ...common,
  id: 'getBlob',
  method: 'get',
  path: '/api/edges/blobs/{sha256}',
  summary: 'Bytes by their SHA-256',
  description:
    'With `Want-Content-Digest: sha-256=1` a part of at most 4 MiB comes with its own digest in `Content-Digest` (RFC 9530).',
  params: z.object({
    sha256: z.string().regex(/^[0-9a-f]{64}$/u, 'must be a SHA-256 in lower-case hex'),
  }),
  responses: {
    200: { description: 'The bytes', contentType: 'application/octet-stream' },
    206: { description: 'Part of them', contentType: 'application/octet-stream' },
    416: { description: 'No byte of the range is there' },
  },
}).handledBy(
  ({ blobs }: EdgeManifestDependencies) =>
    async ({ params: { sha256 }, request, caller }) => {
      requireAllZones(caller)
      const blob = await blobs.open(sha256)
      if (blob === undefined) throw new ServiceError('NotFound', 'There are no such bytes')
      return await blobAnswer(request, sha256, blob)
    },
)

/** Of a part that is no larger an edge may ask for the digest; the part is held for it. */
const maxDigestedBytes = 4 * 2 ** 20

async function blobAnswer(request: Request, sha256: string, blob: BlobBytes): Promise<Response> {
  const wantsDigest = wantsSha256(request.headers.get('want-content-digest'))
  let digest: string | undefined
  const response = await respondWithLater(request, {
    validators: { etag: `"${sha256}"`, lastModified: undefined },
    sizeBytes: blob.size,
    headers: {
      'Content-Type': 'application/octet-stream',
      'Cache-Control': cacheLifetimes.privatePinned,
      'Accept-Ranges': 'bytes',
      ETag: `"${sha256}"`,
    },
    async open(span) {
      const part = span === undefined ? blob : blob.slice(span.start, span.end)
      if (!wantsDigest || part.size > maxDigestedBytes) return await readableBody(part)
      const bytes = await part.bytes()
      digest = new Bun.CryptoHasher('sha256').update(bytes).digest('base64')
      return bytes
    },
  })
  if (digest !== undefined) response.headers.set('Content-Digest', `sha-256=:${digest}:`)
  if (response.status === 412)
    throw new ServiceError('PreconditionFailed', 'These bytes are not those the request names')
  return response
}

/** `/api/edges/manifest` and `/api/edges/blobs`. */
export const manifestOperations: readonly HandledOperation<EdgeManifestDependencies>[] = [
  getManifest,
  getManifestPart,
  getBlob,
]
