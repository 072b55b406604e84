import { createHmac } from 'node:crypto'

export interface Message {
  readonly id: string
  readonly at: Date
  readonly body: string
  /** The newest first; after a rotation the one before it follows. */
  readonly secrets: readonly string[]
}

const mark = 'whsec_'

/**
 * Both signatures of a message: Standard Webhooks 1.0.0 (`v1`, one for each key, so that a receiver
 * may know any of them), and plain HMAC-SHA256 of the body under the secret's own characters.
 */
export function signatureHeaders(message: Message): Readonly<Record<string, string>> {
  const { id, at, body, secrets } = message
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signed = `${id}.${timestamp}.${body}`
  const [newest = '', previous] = secrets
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets
      .flatMap(keysOf)
      .map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
      .join(' '),
    'X-Webhook-Signature': plainSignature(newest, body),
    ...(previous !== undefined && {
      'X-Webhook-Signature-Previous': plainSignature(previous, body),
    }),
  }
}

const plainSignature = (secret: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/**
 * A secret that begins with `whsec_` is base64. Of any other nobody says whether it is text or base64,
 * and receivers differ: where it can be both it is taken as both.
 */
function keysOf(secret: string): readonly Uint8Array[] {
  if (secret.startsWith(mark)) return [Buffer.from(secret.slice(mark.length), 'base64')]
  const text = Buffer.from(secret)
  const decoded = Buffer.from(secret, 'base64')
  return decoded.toString('base64') === secret ? [text, decoded] : [text]
}
