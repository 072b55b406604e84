/** As much of a JSON-RPC message as is looked into on the way. */
export interface Message {
  readonly id?: unknown
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: { readonly protocolVersion?: string }
  readonly error?: unknown
}

const versionKey = 'io.modelcontextprotocol/protocolVersion'

/** Whether it says itself which revision it is of, as each message does since 2026-07-28. */
export const isModern = (message: Message): boolean => versionOf(message) !== undefined

function versionOf({ params }: Message): string | undefined {
  const meta = params?.['_meta'] as Readonly<Record<string, unknown>> | undefined
  const version = meta?.[versionKey]
  return typeof version === 'string' ? version : undefined
}

/** What HTTP says of a message besides its body (SEP-2243). */
export function bodyHeaders(message: Message): Readonly<Record<string, string>> {
  const { method = '', params = {} } = message
  const name = method === 'resources/read' ? params['uri'] : params['name']
  const isNamed = ['tools/call', 'prompts/get', 'resources/read'].includes(method)
  return {
    'MCP-Protocol-Version': versionOf(message) ?? '',
    'Mcp-Method': fieldValue(method),
    ...(isNamed && typeof name === 'string' && { 'Mcp-Name': fieldValue(name) }),
  }
}

/** What no header field can carry is in base64, and says so. */
const fieldValue = (text: string): string =>
  /^(?! )[\x20-\x7e]*(?<! )$/u.test(text) && !text.startsWith('=?base64?')
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`
