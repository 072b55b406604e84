/** One event of a stream (WHATWG HTML §9.2), or a sign that the other side lives. */
export type StreamEvent =
  | { readonly kind: 'event'; readonly name: string; readonly data: string }
  | { readonly kind: 'comment' }

/** Events with LF and a single line of data, as this service writes them. A half one at the end is none. */
export async function* readEvents(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<StreamEvent, void> {
  let name = ''
  let data = ''
  for await (const line of readLines(body))
    if (line.startsWith(':')) yield { kind: 'comment' }
    else if (line.startsWith('event: ')) name = line.slice(7)
    else if (line.startsWith('data: ')) data = line.slice(6)
    else if (line === '' && name !== '') {
      yield { kind: 'event', name, data }
      name = ''
      data = ''
    }
}

/** A long line comes in many pieces, and each is looked at once. */
async function* readLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  let pieces: string[] = []
  for await (const chunk of body) {
    const [first = '', ...rest] = decoder.decode(chunk, { stream: true }).split('\n')
    pieces.push(first)
    for (const piece of rest) {
      yield pieces.join('')
      pieces = [piece]
    }
  }
}
