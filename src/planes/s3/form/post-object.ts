import { reaches } from '../../../domain/access/actor.ts'
import { readableStreamOf } from '../../../lib/bytes/byte-streams.ts'
import { contentOf } from '../content/content.ts'
import { S3Error } from '../s3-error.ts'
import type { S3Caller, S3Operation, S3Operations, S3Request } from '../s3-request.ts'
import type { S3Signers } from '../signature/signers.ts'
import { isSignedForm, signerOfForm } from './form-signature.ts'
import { headersOfFields } from './form-headers.ts'
import { parsePostPolicy, requirePolicy, type SizeRange } from './post-policy.ts'
import { postResponse } from './post-response.ts'
import { type PostForm, readPostForm } from './read-post-form.ts'

export interface PostObjectDependencies {
  /** PutObject. */
  readonly put: S3Operation['handle']
  readonly signers: S3Signers
  readonly maxFileBytes: number
  readonly now: () => Date
}

const scope = 'storage:write'

/**
 * A form of a page, which somebody with a key lets others send.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/RESTObjectPOST.html
 */
export const postObject: S3Operations<PostObjectDependencies> = (dependencies) => [
  {
    name: 'PostObject',
    method: 'POST',
    target: 'bucket',
    scope,
    // The signature is in the form.
    isPublic: true,
    async handle(asked) {
      const { request, bucket = '' } = asked
      await using form = await readPostForm(request)
      const fields = new Map([...form.fields, ['bucket', form.fields.get('bucket') ?? bucket]])
      if (fields.get('bucket') !== bucket) throw otherBucket()
      const caller = callerOfForm(asked, fields, dependencies)
      const { size } = policyOf(fields, dependencies.now())
      const stored = await objectRequest(
        asked,
        { form, fields, caller },
        boundsOf(size, dependencies),
      )
      const response = await dependencies.put(stored)
      return response.ok ? postResponse(response, { fields, url: stored.url, bucket }) : response
    },
  },
]

function callerOfForm(
  { request, requestId, bucket = '', caller: { actor } }: S3Request,
  fields: ReadonlyMap<string, string>,
  { signers }: PostObjectDependencies,
): S3Caller {
  if (!isSignedForm(fields)) throw new S3Error('AccessDenied', 'Access Denied')
  const caller = signerOfForm({ request, clientAddress: actor.ip, requestId, fields }, signers)
  if (!caller.scopes.has(scope) || !reaches(caller.actor, bucket))
    throw new S3Error('AccessDenied', 'Access Denied')
  return caller
}

function policyOf(fields: ReadonlyMap<string, string>, now: Date) {
  const policy = parsePostPolicy(fields.get('policy') ?? '')
  requirePolicy(policy, fields, now)
  return policy
}

const boundsOf = (
  size: SizeRange | undefined,
  { maxFileBytes }: Pick<PostObjectDependencies, 'maxFileBytes'>,
): SizeRange => ({ min: size?.min ?? 0, max: Math.min(size?.max ?? maxFileBytes, maxFileBytes) })

interface Posted {
  readonly form: PostForm
  readonly fields: ReadonlyMap<string, string>
  readonly caller: S3Caller
}

/** The same as a request that puts the file. Nobody knows how long it is; it is no longer than `bounds`. */
async function objectRequest(
  { url: formUrl, requestId, bucket }: S3Request,
  { form, fields, caller }: Posted,
  bounds: SizeRange,
): Promise<S3Request> {
  const key = fields.get('key') ?? ''
  if (key === '')
    throw new S3Error(
      'InvalidArgument',
      "Bucket POST must contain a field named 'key'. If it is specified, please check the order of the fields.",
      { elements: { ArgumentName: 'key' } },
    )
  const url = new URL(formUrl)
  url.search = ''
  url.pathname = `${formUrl.pathname.replace(/\/$/u, '')}/${key.split('/').map(encodeURIComponent).join('/')}`
  const request = new Request(url, {
    method: 'PUT',
    headers: await headersOfFields(fields),
    body: readableStreamOf(bounded(form.file, bounds)),
  })
  const content = { ...contentOf(request), sizeBytes: bounds.max }
  return { request, url, query: url.searchParams, bucket, key, requestId, caller, content }
}

async function* bounded(
  file: AsyncIterable<Uint8Array>,
  { min, max }: SizeRange,
): AsyncGenerator<Uint8Array, void, undefined> {
  let sizeBytes = 0
  for await (const bytes of file) {
    sizeBytes += bytes.length
    if (sizeBytes > max)
      throw outOfRange('EntityTooLarge', 'exceeds the maximum', { sizeBytes, max })
    yield bytes
  }
  if (sizeBytes < min)
    throw outOfRange('EntityTooSmall', 'is smaller than the minimum', { sizeBytes, min })
}

function outOfRange(
  code: 'EntityTooLarge' | 'EntityTooSmall',
  what: string,
  { sizeBytes, min, max }: Partial<SizeRange> & { readonly sizeBytes: number },
): S3Error {
  return new S3Error(code, `Your proposed upload ${what} allowed size`, {
    elements: {
      ProposedSize: String(sizeBytes),
      ...(min !== undefined && { MinSizeAllowed: String(min) }),
      ...(max !== undefined && { MaxSizeAllowed: String(max) }),
    },
  })
}

const otherBucket = (): S3Error =>
  new S3Error('AccessDenied', 'Invalid according to Policy: the form is for another bucket')
