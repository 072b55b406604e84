import { encodeMessage, type Message } from './protobuf.ts'
import { signals } from './otlp-schema.ts'
import type { OtlpTarget } from './otlp-target.ts'
import type { Signal } from './signal-names.ts'

/** `later`: the receiver may take the same some time on, not before `afterMs`. */
export type SendOutcome =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'later'; readonly reason: string; readonly afterMs: number }

/** OTLP/HTTP names those; whatever else is no 2xx must not be sent again. */
const passingStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504])
const longestAfterMs = 60_000

/** Sends one message. Never rejects; what the receiver says besides its status is not read. */
export async function sendOtlp(
  signal: Signal,
  { target, message, ending }: { target: OtlpTarget; message: Message; ending: AbortSignal },
): Promise<SendOutcome> {
  try {
    const response = await fetch(target.url, {
      method: 'POST',
      headers: headersOf(target),
      body: bodyOf(signal, target, message),
      // Headers that open something are for this receiver alone.
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(target.timeoutMs), ending]),
      ...(target.authorityFile === undefined
        ? {}
        : { tls: { ca: Bun.file(target.authorityFile) } }),
    })
    await response.body?.cancel()
    return outcomeOf(response)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { kind: 'later', reason, afterMs: 0 }
  }
}

const headersOf = ({ headers, protocol, isCompressed }: OtlpTarget): Record<string, string> => ({
  ...headers,
  'Content-Type': protocol === 'http/json' ? 'application/json' : 'application/x-protobuf',
  ...(isCompressed ? { 'Content-Encoding': 'gzip' } : {}),
})

function bodyOf(
  signal: Signal,
  { protocol, isCompressed }: OtlpTarget,
  message: Message,
): Uint8Array<ArrayBuffer> {
  const bytes =
    protocol === 'http/json'
      ? Buffer.from(JSON.stringify(message))
      : encodeMessage(message, signals[signal].schema)
  return isCompressed ? Bun.gzipSync(new Uint8Array(bytes)) : new Uint8Array(bytes)
}

function outcomeOf({ status, ok, headers }: Response): SendOutcome {
  if (ok) return { kind: 'taken' }
  const reason = `status ${status}`
  if (!passingStatuses.has(status)) return { kind: 'refused', reason }
  const seconds = Number(headers.get('retry-after') ?? 0)
  const afterMs = Number.isFinite(seconds) ? Math.max(0, seconds * 1_000) : 0
  return { kind: 'later', reason, afterMs: Math.min(afterMs, longestAfterMs) }
}
