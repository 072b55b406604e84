import { serverSentEvents } from '../../client/server-sent-events.ts'
import { bodyHeaders, isModern, type Message } from './message-headers.ts'

/** Messages of one side of a conversation, a JSON text a line. */
export interface Bridge {
  /** Takes a line of the agent's. Never rejects. */
  take(line: string): Promise<void>
  /** Breaks off all that goes on, and ends the session where there is one. */
  close(): Promise<void>
}

interface Options {
  /** `/mcp` of the service. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly send: (line: string) => void
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
}

/** As much as the service takes, and some more, so that it is the service that says so. */
const maxLineLength = 8 * 2 ** 20

/** JSON-RPC 2.0 §5.1. */
const codes = { parse: -32_700, failed: -32_603 } as const

/** Of the revision before the newest. */
interface Session {
  id?: string | undefined
  version?: string | undefined
}

/** Carries messages between an agent and `/mcp`; all that is known of MCP's tools is at the service. */
export function createBridge({ url, headers, send, fetch }: Options): Bridge {
  const underWay = new Map<unknown, AbortController>()
  const session: Session = {}

  /** What comes back, in one piece or in several. */
  async function forward(response: Response, message: Message): Promise<void> {
    if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) {
      for await (const { data } of serverSentEvents(response.body)) pass(data, message)
      return
    }
    const text = await response.text()
    if (text === '') return
    if (response.ok) pass(parsed(text), message)
    else if (message.id !== undefined) send(withId(text, message.id, response.status))
  }

  function pass(sent: unknown, { method }: Message): void {
    if (typeof sent !== 'object' || sent === null) return
    const { result } = sent as Message
    if (method === 'initialize') session.version = result?.protocolVersion ?? session.version
    send(JSON.stringify(sent))
  }

  async function exchange(line: string, message: Message): Promise<void> {
    const stop = new AbortController()
    if (message.id !== undefined && message.method !== undefined) underWay.set(message.id, stop)
    try {
      const init = {
        method: 'POST',
        headers: headersFor(message, headers, session),
        body: line,
        signal: stop.signal,
      }
      const response = await fetch(url, init)
      session.id = response.headers.get('mcp-session-id') ?? session.id
      await forward(response, message)
    } catch (error) {
      if (!stop.signal.aborted && message.id !== undefined)
        send(refusal(message.id, codes.failed, `${url} did not respond: ${String(error)}`))
    } finally {
      underWay.delete(message.id)
    }
  }

  return {
    async take(line) {
      if (line.trim() === '') return
      const message = line.length > maxLineLength ? undefined : parsed(line)
      if (message === undefined)
        return send(refusal(null, codes.parse, 'a line must be a JSON-RPC message'))
      // In the newest revision whoever does not want a response any more hangs up.
      if (message.method === 'notifications/cancelled' && session.id === undefined)
        return underWay.get(message.params?.['requestId'])?.abort()
      await exchange(line, message)
    },
    async close() {
      for (const each of underWay.values()) each.abort()
      if (session.id === undefined) return
      const init = { method: 'DELETE', headers: { ...headers, 'Mcp-Session-Id': session.id } }
      await fetch(url, init).catch(() => undefined)
    },
  }
}

const headersFor = (message: Message, headers: Options['headers'], { id, version }: Session) => ({
  ...headers,
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
  ...(isModern(message)
    ? bodyHeaders(message)
    : {
        ...(id !== undefined && { 'Mcp-Session-Id': id }),
        ...(version !== undefined && { 'MCP-Protocol-Version': version }),
      }),
})

const refusal = (id: unknown, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })

function parsed(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? value : undefined
  } catch {
    return undefined
  }
}

/** A refusal of HTTP's as the response to the message that it was for. */
function withId(text: string, id: unknown, status: number): string {
  const { error } = parsed(text) ?? {}
  const said = error ?? { code: codes.failed, message: `the service responded with ${status}` }
  return JSON.stringify({ jsonrpc: '2.0', id, error: said })
}
