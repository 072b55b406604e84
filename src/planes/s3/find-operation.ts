import { S3Error } from './s3-error.ts'
import type { S3Operation, S3Request } from './s3-request.ts'

type Asked = Pick<S3Request, 'request' | 'query' | 'bucket' | 'key'>

/**
 * What S3 has operations of their own for: refused by name where there is none here, so that no client takes
 * another operation's response for it.
 */
const subResources = [
  'accelerate',
  'acl',
  'analytics',
  'cors',
  'delete',
  'encryption',
  'intelligent-tiering',
  'inventory',
  'legal-hold',
  'lifecycle',
  'location',
  'logging',
  'metrics',
  'notification',
  'object-lock',
  'ownershipControls',
  'policy',
  'policyStatus',
  'publicAccessBlock',
  'replication',
  'requestPayment',
  'restore',
  'retention',
  'select',
  'tagging',
  'torrent',
  'uploads',
  'versioning',
  'versions',
  'website',
] as const

/** Finds the operation that a request is for: of those that fit, the one that asks for most. */
export function operationFinder(operations: readonly S3Operation[]): (asked: Asked) => S3Operation {
  const rows = operations.toSorted((one, other) => demandsOf(other) - demandsOf(one))
  const rowsByKind = Map.groupBy(rows, ({ method, target }) => `${method} ${target}`)
  return (asked) => {
    const kind = `${asked.request.method} ${targetOf(asked)}`
    const found = rowsByKind.get(kind)?.find((operation) => fits(operation, asked))
    if (asked.query.size > 0) refuseAbsent(asked.query, found)
    if (found !== undefined) return found
    throw new S3Error(
      'MethodNotAllowed',
      'The specified method is not allowed against this resource.',
    )
  }
}

/** Of some of it an operation says at least that there is none of it. */
function refuseAbsent(query: URLSearchParams, found: S3Operation | undefined): void {
  const absent = subResources.find((name) => query.has(name) && !found?.query?.includes(name))
  if (absent !== undefined)
    throw new S3Error('NotImplemented', `Nothing of "${absent}" is implemented.`)
}

function targetOf({ bucket, key }: Asked): S3Operation['target'] {
  if (bucket === undefined) return 'service'
  return key === undefined ? 'bucket' : 'object'
}

const fits = ({ query = [], header }: S3Operation, { request, query: sent }: Asked): boolean =>
  query.every((wanted) => isSent(wanted, sent)) &&
  (header === undefined || request.headers.has(header))

function isSent(wanted: string, sent: URLSearchParams): boolean {
  const [name = '', value] = wanted.split('=')
  return value === undefined ? sent.has(name) : sent.get(name) === value
}

const demandsOf = ({ query = [], header }: S3Operation): number =>
  query.length + (header === undefined ? 0 : 1)
