/** Where objects are kept, and how they are asked for. */
export interface S3Location {
  readonly bucket: string
  /** What the names of all objects begin with: empty, or with a slash at its end. */
  readonly prefix: string
  /** e.g. `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string
  readonly region: string
  /** Whether the bucket is part of the path or of the host name. */
  readonly style: 'path' | 'host'
}

const known = new Set(['endpoint', 'region', 'style'])

/**
 * Reads `s3://bucket/prefix?endpoint=https://host&region=name&style=path`. Without an endpoint it is
 * Amazon's, where the bucket belongs to the host name; elsewhere to the path, unless `style` says so.
 */
export function parseS3Location(text: string): S3Location {
  const url = URL.parse(text)
  if (url?.protocol !== 's3:' || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/u.test(url.hostname))
    throw new Error('must be a URL such as s3://bucket/prefix?endpoint=https://host')
  refuseSurplus(url)
  const region = url.searchParams.get('region') ?? 'us-east-1'
  const endpoint = url.searchParams.get('endpoint')
  return {
    bucket: url.hostname,
    prefix: prefixOf(url),
    endpoint: originOf(endpoint ?? `https://s3.${region}.amazonaws.com`),
    region,
    style: styleOf(url.searchParams.get('style') ?? (endpoint === null ? 'host' : 'path')),
  }
}

function refuseSurplus({ username, password, port, hash, searchParams }: URL): void {
  if ([username, password, port, hash].some((part) => part !== ''))
    throw new Error(
      'must hold no credentials: S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are for them',
    )
  const unknown = [...searchParams.keys()].find((name) => !known.has(name))
  if (unknown !== undefined) throw new Error(`must not have the parameter ${unknown}`)
}

function prefixOf({ pathname }: URL): string {
  const prefix = pathname.replace(/^\/+|(?<!\/)\/+$/gu, '')
  if (!/^[\w./-]*$/u.test(prefix) || prefix.includes('//'))
    throw new Error('must have a prefix of letters, digits and `._-/`')
  return prefix === '' ? '' : `${prefix}/`
}

function styleOf(text: string): S3Location['style'] {
  if (text !== 'path' && text !== 'host') throw new Error('must have path or host as its style')
  return text
}

function originOf(endpoint: string): string {
  const url = URL.parse(endpoint)
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.pathname !== '/')
    throw new Error('must have an endpoint such as https://s3.example.org')
  return url.origin
}
