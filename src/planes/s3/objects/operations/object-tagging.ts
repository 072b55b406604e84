import type { DirectoryMarkers } from '../../../../domain/content/objects/directory-markers.ts'
import type { ObjectWords } from '../../../../domain/content/objects/object-sidecar.ts'
import type { Objects } from '../../../../domain/content/objects/objects.ts'
import { S3Error } from '../../s3-error.ts'
import type { S3Operations, S3Request } from '../../s3-request.ts'
import { readXml } from '../../xml/read-xml.ts'
import { xmlResponse } from '../../xml/xml-response.ts'
import { type FindDependencies, findObject } from '../find-object.ts'
import { tagsOfDocument } from '../object-tags.ts'

export interface TaggingDependencies extends FindDependencies {
  readonly objects: Pick<Objects, 'describe'>
  readonly markers: DirectoryMarkers
}

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectTagging.html and the two that change them.
 * The tags of former versions are history, and stay.
 */
export const objectTagging: S3Operations<TaggingDependencies> = (dependencies) => [
  {
    name: 'GetObjectTagging',
    method: 'GET',
    target: 'object',
    query: ['tagging'],
    scope: 'storage:read',
    handle: async (asked) => {
      const { state } = await findObject(asked, dependencies)
      const tags = Object.entries(state.object?.tags ?? {})
      const response = xmlResponse('Tagging', {
        TagSet: { Tag: tags.map(([key, value]) => ({ Key: key, Value: value })) },
      })
      return versioned(response, state.versionId)
    },
  },
  {
    name: 'PutObjectTagging',
    method: 'PUT',
    target: 'object',
    query: ['tagging'],
    scope: 'storage:write',
    handle: async (asked) => {
      const tags = tagsOfDocument(await readXml(asked.content, 'Tagging'))
      return await setTags(asked, tags, dependencies)
    },
  },
  {
    name: 'DeleteObjectTagging',
    method: 'DELETE',
    target: 'object',
    query: ['tagging'],
    scope: 'storage:write',
    handle: (asked) => setTags(asked, {}, dependencies),
  },
]

async function setTags(
  asked: S3Request,
  tags: Readonly<Record<string, string>>,
  dependencies: TaggingDependencies,
): Promise<Response> {
  const { place, state, isFormer } = await findObject(asked, dependencies)
  if (isFormer)
    throw new S3Error(
      'NotImplemented',
      'Tags can be changed of the current version of an object alone: history is kept in git.',
    )
  const { objects, markers } = dependencies
  const words = (said: ObjectWords): ObjectWords => ({ ...said, tags })
  const { actor } = asked.caller
  if (place.kind === 'marker') await markers.put({ place, words }, actor)
  else await objects.describe(place.path, words, actor)
  const status = asked.request.method === 'DELETE' ? 204 : 200
  return versioned(new Response(null, { status }), state.versionId)
}

function versioned(response: Response, versionId: string | undefined): Response {
  if (versionId !== undefined) response.headers.set('x-amz-version-id', versionId)
  return response
}
