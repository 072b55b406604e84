import type { S3Operations } from '../../s3-request.ts'
import { xmlResponse } from '../../xml/xml-response.ts'
import { listsNotSupported, refuseOtherLists } from '../absent-features.ts'
import { type FindDependencies, findObject } from '../find-object.ts'

const grantee =
  'Grantee xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="CanonicalUser"'

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectAcl.html: who may what is a matter of tokens
 * and zones, so the list is always the same, and can only be set to what it is.
 */
export const objectAcl: S3Operations<FindDependencies> = (dependencies) => [
  {
    name: 'GetObjectAcl',
    method: 'GET',
    target: 'object',
    query: ['acl'],
    scope: 'storage:read',
    handle: async (asked) => {
      await findObject(asked, dependencies)
      const owner = { ID: 'sedge', DisplayName: 'sedge' }
      return xmlResponse('AccessControlPolicy', {
        Owner: owner,
        AccessControlList: { Grant: { [grantee]: owner, Permission: 'FULL_CONTROL' } },
      })
    },
  },
  {
    name: 'PutObjectAcl',
    method: 'PUT',
    target: 'object',
    query: ['acl'],
    scope: 'storage:write',
    handle: async (asked) => {
      const { place } = await findObject(asked, dependencies)
      if (!asked.request.headers.has('x-amz-acl')) throw listsNotSupported()
      refuseOtherLists(asked.request.headers, place)
      return new Response(null)
    },
  },
]
