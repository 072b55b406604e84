import type { ServerSentEvent } from './wire-types.ts'

/** The events of a body, as they come (HTML §9.2.6). Whoever stops reading ends the response. */
export async function* serverSentEvents(
  body: ReadableStream<Uint8Array> | null,
): AsyncGenerator<ServerSentEvent> {
  let event = ''
  let data: string[] = []
  for await (const line of linesOf(body)) {
    if (line === '') {
      if (data.length > 0) yield { event: event || 'message', data: parsed(data.join('\n')) }
      event = ''
      data = []
      continue
    }
    // A line that begins with a colon is a comment; its field has no name.
    const [, field = line, value = ''] = /^([^:]*): ?(.*)$/su.exec(line) ?? []
    if (field === 'event') event = value
    else if (field === 'data') data.push(value)
  }
}

async function* linesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  if (body === null) return
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      rest += decoder.decode(value, { stream: true })
      // A carriage return at the end may be half of a line end.
      const end = rest.endsWith('\r') ? rest.length - 1 : rest.length
      const lines = rest.slice(0, end).split(/\r\n|\n|\r/u)
      rest = (lines.pop() ?? '') + rest.slice(end)
      yield* lines
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
