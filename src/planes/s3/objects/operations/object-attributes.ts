import { S3Error } from '../../s3-error.ts'
import type { S3Operations } from '../../s3-request.ts'
import type { XmlContent } from '../../xml/write-xml.ts'
import { xmlResponse } from '../../xml/xml-response.ts'
import { type FindDependencies, findObject } from '../find-object.ts'
import { checksumOf } from '../object-headers.ts'
import { partCount } from '../object-response.ts'
import { digestOf, entityTag, type ObjectState } from '../object-state.ts'
import type { ContentDigest } from '../../../../ports/objects/content-digest-store.ts'
import type { ContentDigests } from '../../../../domain/content/objects/content-digests.ts'

export interface AttributeDependencies extends FindDependencies {
  readonly digests: Pick<ContentDigests, 'known' | 'of'>
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectAttributes.html */
export const objectAttributes: S3Operations<AttributeDependencies> = (dependencies) => [
  {
    name: 'GetObjectAttributes',
    method: 'GET',
    target: 'object',
    query: ['attributes'],
    scope: 'storage:read',
    handle: async (asked) => {
      const wanted = wantedIn(asked.request.headers)
      const { state } = await findObject(asked, dependencies)
      const digest = await digestOf(state, dependencies.digests)
      const response = xmlResponse(
        'GetObjectAttributesResponse',
        attributesOf(state, digest, wanted),
      )
      response.headers.set('last-modified', state.changedAt.toUTCString())
      if (state.versionId !== undefined) response.headers.set('x-amz-version-id', state.versionId)
      return response
    },
  },
]

const attributes = ['ETag', 'Checksum', 'ObjectParts', 'StorageClass', 'ObjectSize'] as const
type Attribute = (typeof attributes)[number]

function wantedIn(headers: Headers): ReadonlySet<Attribute> {
  const names = (headers.get('x-amz-object-attributes') ?? '')
    .slice(0, 1000)
    .split(',')
    .map((name) => name.trim())
  const wanted = attributes.filter((attribute) => names.includes(attribute))
  if (wanted.length === 0 || wanted.length < new Set(names).size)
    throw new S3Error(
      'InvalidArgument',
      `x-amz-object-attributes must name some of ${attributes.join(', ')}`,
      { elements: { ArgumentName: 'x-amz-object-attributes' } },
    )
  return new Set(wanted)
}

function attributesOf(
  state: ObjectState,
  digest: ContentDigest,
  wanted: ReadonlySet<Attribute>,
): XmlContent {
  const checksum = checksumOf(state, digest)
  const { parts } = state.object ?? {}
  return {
    ETag: wanted.has('ETag') ? entityTag(state, digest.md5).slice(1, -1) : undefined,
    Checksum:
      wanted.has('Checksum') && checksum
        ? { [`Checksum${checksum.algorithm}`]: checksum.value, ChecksumType: checksum.type }
        : undefined,
    ObjectParts: wanted.has('ObjectParts') && parts ? { PartsCount: partCount(parts) } : undefined,
    StorageClass: wanted.has('StorageClass') ? 'STANDARD' : undefined,
    ObjectSize: wanted.has('ObjectSize') ? state.sizeBytes : undefined,
  }
}
