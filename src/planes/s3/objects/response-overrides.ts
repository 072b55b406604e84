import { S3Error } from '../s3-error.ts'
import type { S3Caller } from '../s3-request.ts'
import { fieldText } from './field-text.ts'

const overrides = {
  'response-cache-control': 'cache-control',
  'response-content-disposition': 'content-disposition',
  'response-content-encoding': 'content-encoding',
  'response-content-language': 'content-language',
  'response-content-type': 'content-type',
  'response-expires': 'expires',
} as const

const maxLength = 1024
const printable = /^[^\u0000-\u0008\u000a-\u001f\u007f-\u009f]*$/u

/** Fields that the URL asks for in place of the object's own. Who signs nothing may not. */
export function overriddenHeaders(
  query: URLSearchParams,
  { isAnonymous }: Pick<S3Caller, 'isAnonymous'>,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  for (const [parameter, header] of Object.entries(overrides)) {
    const value = query.get(parameter)
    if (value === null) continue
    if (isAnonymous)
      throw new S3Error(
        'InvalidRequest',
        'Request specific response headers cannot be used for anonymous GET requests.',
      )
    if (value.length > maxLength || !value.isWellFormed() || !printable.test(value))
      throw new S3Error(
        'InvalidArgument',
        `${parameter} must be a field of at most ${maxLength} characters`,
        {
          elements: { ArgumentName: parameter },
        },
      )
    headers[header] = fieldText(value)
  }
  return headers
}
