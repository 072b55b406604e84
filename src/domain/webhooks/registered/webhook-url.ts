import type { WebhookSender } from '../../../ports/webhooks/webhook-sender.ts'
import { invalid } from '../../errors.ts'

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

/** The same, of one that something would be sent to. */
export async function acceptedUrl(
  text: string,
  sender: Pick<WebhookSender, 'refusalOf'>,
): Promise<string> {
  const url = webhookUrl(text)
  const refusal = await sender.refusalOf(url)
  if (refusal !== undefined) throw invalid('url', refusal)
  return url
}
