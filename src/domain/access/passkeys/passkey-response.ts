/** What can be read of an authenticator's answer before it is checked. */
export interface ReadResponse {
  /** The credential's id, base64url. */
  readonly id: string
  readonly challenge: string
  readonly userHandle: string | undefined
}

const maxTextLength = 16_384

/**
 * Reads a `PublicKeyCredential` in JSON. `undefined` where it is none, or where it was made for another
 * site's page that has ours in a frame.
 */
export function readResponse(response: unknown): ReadResponse | undefined {
  if (!isRecord(response) || !isRecord(response['response'])) return undefined
  const { id } = response
  const { clientDataJSON, userHandle } = response['response']
  const clientData = parseClientData(clientDataJSON)
  if (typeof id !== 'string' || !isRecord(clientData)) return undefined
  const { challenge, crossOrigin } = clientData
  if (typeof challenge !== 'string' || crossOrigin === true) return undefined
  return { id, challenge, userHandle: typeof userHandle === 'string' ? userHandle : undefined }
}

function parseClientData(text: unknown): unknown {
  if (typeof text !== 'string' || text.length > maxTextLength) return undefined
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
