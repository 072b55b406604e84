import { createHash } from 'node:crypto'

import { S3Error } from '../s3-error.ts'

export interface ListParameters {
  readonly prefix: string
  /** `undefined` where none is sent, or an empty one. */
  readonly delimiter: string | undefined
  readonly maxKeys: number
  /** Writes a key as the client wants it. */
  readonly encode: (text: string) => string
  readonly encodingType: string | undefined
}

const mostKeys = 1000
const largestNumber = 2 ** 31 - 1

/** What all listings have in common. Refuses with `InvalidArgument`. */
export function readListParameters(query: URLSearchParams): ListParameters {
  const encodingType = query.get('encoding-type') ?? undefined
  if (encodingType !== undefined && encodingType !== 'url')
    throw invalidArgument(
      'encoding-type',
      encodingType,
      'Invalid Encoding Method specified in Request',
    )
  return {
    prefix: query.get('prefix') ?? '',
    delimiter: query.get('delimiter') || undefined,
    maxKeys: Math.min(mostKeys, readCount(query, 'max-keys') ?? mostKeys),
    encode: encodingType === undefined ? (text) => text : urlEncoded,
    encodingType,
  }
}

/** What a response repeats of them. */
export const asSent = ({ prefix, delimiter, maxKeys, encode, encodingType }: ListParameters) => ({
  Prefix: encode(prefix),
  Delimiter: delimiter === undefined ? undefined : encode(delimiter),
  MaxKeys: maxKeys,
  EncodingType: encodingType,
})

/** A number that is not below 0; `undefined` where it is not sent, or empty. */
export function readCount(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null || text === '') return undefined
  const count = /^\d{1,10}$/u.test(text) ? Number(text) : Number.NaN
  if (!(count <= largestNumber))
    throw invalidArgument(
      name,
      text,
      `Argument ${name} must be an integer between 0 and ${largestNumber}`,
    )
  return count
}

export const invalidArgument = (name: string, value: string, message: string): S3Error =>
  new S3Error('InvalidArgument', message, {
    elements: { ArgumentName: name, ArgumentValue: value.slice(0, 1024) },
  })

/** All but what RFC 3986 §2.3 leaves unreserved, and slashes. */
function urlEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/%2F/gu, '/')
    .replace(/[!'()*]/gu, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
}

const checkBytes = 6

/** Where a listing goes on: good for as long as the service is, in every process of it. */
export const continuationToken = (after: string): string =>
  Buffer.concat([checkOf(after), Buffer.from(after)]).toString('base64url')

/** What the token says. Refuses whatever was not given out as one. */
export function readContinuationToken(token: string, name = 'continuation-token'): string {
  const bytes = Buffer.from(token, 'base64url')
  const after = bytes.subarray(checkBytes).toString()
  if (continuationToken(after) !== token)
    throw invalidArgument(name, token, 'The continuation token provided is incorrect')
  return after
}

const checkOf = (text: string): Buffer =>
  createHash('sha256').update(`continuation ${text}`).digest().subarray(0, checkBytes)
