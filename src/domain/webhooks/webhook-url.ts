import { invalid } from '../errors.ts'

/** White space, control characters and backslashes: parsing takes them away, or makes others of them. */
const misleading = /[\s\u0000-\u001f\u007f-\u009f\\]/u

/**
 * The URL that will be called, spelled so: what is listed is what is asked. One that is no URL
 * at all stays as it is, for who knows why it will not do.
 */
export function webhookUrl(text: string): string {
  if (misleading.test(text))
    throw invalid('url', 'must not have white space, control characters or backslashes')
  const url = URL.parse(text)
  if (url === null) return text
  url.hash = ''
  return url.href === `${text}/` ? text : url.href
}
