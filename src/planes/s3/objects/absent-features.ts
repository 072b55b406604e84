import type { ObjectPlace } from '../../../domain/content/objects/object-place.ts'
import { S3Error } from '../s3-error.ts'

/** Begin the names of headers that ask for what is not here. */
const absentPrefixes = [
  'x-amz-server-side-encryption',
  'x-amz-copy-source-server-side-encryption',
  'x-amz-object-lock-',
  'x-amz-website-redirect-location',
] as const

/** Canned lists that say what holds anyway. */
const harmlessLists: ReadonlySet<string> = new Set(['private', 'bucket-owner-full-control'])

/**
 * Refuses a write that asks for what is not here: what would be ignored otherwise is nothing that a
 * client should take for done.
 */
export function refuseAbsentFeatures(headers: Headers, place: ObjectPlace): void {
  for (const [name] of headers) {
    if (absentPrefixes.some((prefix) => name.startsWith(prefix)))
      throw new S3Error(
        'NotImplemented',
        'A header you provided implies functionality that is not implemented',
        { elements: { Header: name } },
      )
    if (name.startsWith('x-amz-grant-')) throw listsNotSupported()
  }
  refuseOtherLists(headers, place)
  const storageClass = headers.get('x-amz-storage-class')
  if (storageClass !== null && storageClass !== 'STANDARD')
    throw new S3Error('InvalidStorageClass', 'The storage class you specified is not valid')
}

/** An access control list is taken where it changes nothing: what is not private can be read by all. */
export function refuseOtherLists(headers: Headers, place: ObjectPlace): void {
  const list = headers.get('x-amz-acl')
  if (list === null || harmlessLists.has(list)) return
  if (list === 'public-read' && place.kind === 'asset' && !isPrivatePath(place.path)) return
  throw listsNotSupported()
}

const isPrivatePath = (path: string): boolean => path.split('/')[2] === 'private'

export const listsNotSupported = () =>
  new S3Error('AccessControlListNotSupported', 'The bucket does not allow ACLs')
