import { z } from 'zod'

import { repositoryPath } from '../../domain/content/asset-path.ts'
import type { Files } from '../../domain/content/files/files.ts'
import type { SimilarAssets } from '../../domain/media/likeness/similar-assets.ts'
import { operation } from '../../http/operation.ts'
import { collectBytes } from '../../lib/bytes/byte-streams.ts'
import { actorOf } from '../caller.ts'
import {
  previewHeader,
  type Previewed,
  previewQuery,
  previewScope,
  verbsOf,
  zoneOfAll,
} from '../previewed.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import { similarOfAll } from '../assets/similar-assets.ts'
import { edgeNoteOf, preferHeader } from './write-file.ts'
import { maxBatchBytes, maxBatchFiles, parseBatch } from './batch-body.ts'
import { createMakeRoom } from './make-room.ts'
import { batchResponse } from './schemas.ts'

interface Verbs {
  readonly files: Files
  readonly catalog: Pick<Manifest, 'zone' | 'asset'>
}

type Dependencies = Previewed<Verbs> & {
  readonly similarAssets: Pick<SimilarAssets, 'ofUpload'>
  readonly now: () => Date
  /** How long a batch waits for room. */
  readonly batchPatienceMs?: number
}

/** For the API's description; the body itself is read by {@link parseBatch}, which never copies it. */
const batchRequest = z.object({
  files: z
    .array(
      z.object({
        path: z.string(),
        content: z.string(),
        encoding: z.enum(['base64', 'utf-8']).default('base64'),
      }),
    )
    .min(1)
    .max(maxBatchFiles),
})

/** Less than a client that is not read from is given. */
const defaultPatienceMs = 20_000

/** `POST /api/storage/batch`. */
export const putFiles = operation({
  id: 'putFiles',
  plane: 'storage',
  method: 'post',
  path: '/api/storage/batch',
  summary: 'Store many files in one commit',
  example: {
    body: {
      files: [
        { path: 'acme/v1/titles/hello.txt', content: 'hello', encoding: 'utf-8' },
        { path: 'acme/v1/titles/world.txt', content: 'd29ybGQ=' },
      ],
    },
  },
  description: `A JSON object \`{"files": [{"path", "content", "encoding"}]}\` of 1 to ${maxBatchFiles} files; \`encoding\` is \`base64\` (default) or \`utf-8\`. All files are committed together, or none.`,
  access: { keys: ['access'], scope: 'storage:write', session: true, previewScope },
  envelope: 'standard',
  query: z.object(previewQuery),
  requestHeaders: { ...preferHeader, ...previewHeader },
  body: {
    kind: 'bytes',
    maxBytes: maxBatchBytes,
    description: 'The files as JSON',
    contentType: 'application/json',
    schema: batchRequest,
  },
  responses: { 201: { description: 'Committed', schema: batchResponse } },
}).handledBy(({ now, batchPatienceMs, similarAssets, ...verbs }: Dependencies) => {
  // A batch is read whole before it is looked at.
  const makeRoom = createMakeRoom({
    largestBytes: maxBatchBytes,
    patienceMs: batchPatienceMs ?? defaultPatienceMs,
    refusal: 'Too many batches are being read; send one at a time',
  })
  return async ({ body, request, caller, respond }) => {
    using _room = await makeRoom(caller, request, announcedBytes(request.headers))
    const items = parseBatch(await collectBytes(body, announcedBytes(request.headers)))
    const zone = zoneOfAll(items.map(({ path }) => path))
    const { files, catalog } = await verbsOf<Verbs>(verbs, { request, caller, zone })
    const { commitId, paths } = await files.putAll(items, actorOf(caller))
    const sent = { catalog, request, caller }
    return respond(201, {
      HttpCode: 201,
      Message: `Files committed: ${paths.length}`,
      Commit: commitId,
      Files: paths.map(repositoryPath),
      EdgeStatus: 'pending',
      EdgeNote: edgeNoteOf(paths, 'Committed together; edges serve them within seconds.', catalog),
      Similar: await similarOfAll(paths, sent, similarAssets),
      DateCreated: now().toISOString(),
    })
  }
})

/** One that is sent in chunks may be as large as any, and has the room of such a one. */
function announcedBytes(headers: Headers): number {
  const length = headers.has('transfer-encoding') ? null : headers.get('content-length')
  return length === null ? maxBatchBytes : Number(length)
}
