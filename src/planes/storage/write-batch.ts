import { z } from 'zod'

import { repositoryPath } from '../../domain/content/asset-path.ts'
import type { Files } from '../../domain/content/files.ts'
import { type Operation, operation, success } from '../../http/operation.ts'
import { collectBytes } from '../../lib/collect-bytes.ts'
import { actorOf } from '../actor-of.ts'
import type { Manifest } from '../../ports/manifest.ts'
import { edgeNoteOf } from './edge-note.ts'
import { maxBatchBytes, maxBatchFiles, parseBatch } from './batch-body.ts'
import { batchResponse } from './schemas.ts'

interface Dependencies {
  readonly files: Files
  readonly catalog: Pick<Manifest, 'zone'>
  readonly now: () => Date
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

/** `POST /api/storage/batch`. */
export const writeBatchOperation = ({ files, catalog, now }: Dependencies): Operation =>
  operation({
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
    access: { keys: ['access'], scope: 'storage:write', session: true },
    envelope: 'standard',
    body: {
      kind: 'bytes',
      maxBytes: maxBatchBytes,
      description: 'The files as JSON',
      contentType: 'application/json',
      schema: batchRequest,
    },
    responses: { 201: { description: 'Committed', schema: batchResponse } },
    async handle({ body, request, caller }) {
      const expectedBytes = Number(request.headers.get('content-length') ?? 0)
      const items = parseBatch(await collectBytes(body, expectedBytes))
      const { commitId, paths } = await files.putAll(items, actorOf(caller))
      return success(201, `Files committed: ${paths.length}`, {
        Commit: commitId,
        Files: paths.map(repositoryPath),
        EdgeStatus: 'pending',
        EdgeNote: edgeNoteOf(
          paths,
          'Committed together; edges serve them within seconds.',
          catalog,
        ),
        DateCreated: now().toISOString(),
      })
    },
  })
