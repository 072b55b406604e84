import type { ContentDigests } from '../../../../domain/content/objects/content-digests.ts'
import type { ObjectBytes } from '../../../../domain/content/objects/object-bytes.ts'
import { readableBody } from '../../../../lib/bytes/byte-streams.ts'
import type { S3Operations, S3Request } from '../../s3-request.ts'
import { type FindDependencies, findObject } from '../find-object.ts'
import { objectHeaders } from '../object-headers.ts'
import { objectResponse } from '../object-response.ts'
import { digestOf } from '../object-state.ts'

export interface ReadDependencies extends FindDependencies {
  readonly digests: Pick<ContentDigests, 'known' | 'of'>
  readonly bytes: ObjectBytes
}

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html and
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html
 */
export const readObject: S3Operations<ReadDependencies> = (dependencies) =>
  (['GET', 'HEAD'] as const).map((method) => ({
    name: method === 'GET' ? 'GetObject' : 'HeadObject',
    method,
    target: 'object',
    scope: 'storage:read',
    isPublic: true,
    handle: (asked) => read(asked, dependencies),
  }))

async function read(asked: S3Request, dependencies: ReadDependencies): Promise<Response> {
  const { state, isFormer } = await findObject(asked, dependencies)
  const { bytes } = dependencies
  const digest = await digestOf(state, dependencies.digests)
  return await objectResponse(asked, {
    state,
    headers: objectHeaders(asked, state, digest),
    open: async (span) =>
      await readableBody(await bytes[isFormer ? 'openFormer' : 'open'](state, span)),
  })
}
