import { S3Error } from './s3-error.ts'

/** What a URL is about. */
export interface S3Path {
  /** `undefined` of the service itself. */
  readonly bucket: string | undefined
  /** Decoded; `undefined` of the bucket itself. */
  readonly key: string | undefined
}

/** Where S3 is spoken, and of whom. */
export interface S3Place {
  /** The host name that is S3's own; names below it are buckets. */
  readonly s3Host: string | undefined
}

/** Below which path S3 is spoken at the service's own hosts. */
export const s3Prefix = '/s3'

/** Before a path that cannot be what was sent: it had `.` or `..` as a segment, or a backslash. */
export const unreadablePrefix = '/..%FF'

/** Path style and virtual-host style. Fails where the path is no percent-encoded UTF-8. */
export function readS3Path({ hostname, pathname }: URL, { s3Host }: S3Place): S3Path {
  if (pathname.startsWith(`${unreadablePrefix}/`)) throw unreadable()
  const bucket = bucketOfHost(hostname, s3Host)
  if (bucket !== undefined) return { bucket, key: keyOf(pathname.slice(1)) }
  const path = hostname === s3Host ? pathname : pathname.slice(s3Prefix.length)
  const start = path.startsWith('/') ? 1 : 0
  const end = path.indexOf('/', start)
  const name = decoded(path.slice(start, end === -1 ? undefined : end))
  return {
    bucket: name === '' ? undefined : name,
    key: end === -1 ? undefined : keyOf(path.slice(end + 1)),
  }
}

const unreadable = (): S3Error =>
  new S3Error('InvalidArgument', 'A key must not have "." or ".." between slashes.', {
    elements: { ArgumentName: 'key' },
  })

function bucketOfHost(hostname: string, s3Host: string | undefined): string | undefined {
  if (s3Host === undefined || !hostname.endsWith(`.${s3Host}`)) return undefined
  return hostname.slice(0, -s3Host.length - 1)
}

function keyOf(encoded: string): string | undefined {
  const key = decoded(encoded)
  return key === '' ? undefined : key
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw new S3Error('InvalidArgument', 'The path must be percent-encoded UTF-8.', { cause })
  }
}
