import { type XmlContent, xmlDeclaration, xmlDocument } from '../xml/write-xml.ts'
import { xmlFields } from '../xml/xml-response.ts'

/** What an operation that may take long comes to. */
export interface LongResult {
  readonly root: string
  readonly content: XmlContent
  readonly headers?: Readonly<Record<string, string>>
}

export interface Patience {
  /** Calls `run` after `ms`, unless what it answers is called before. */
  readonly after: (ms: number, run: () => void) => () => void
  /** The document of an error, whatever was thrown; tells the log of it. */
  readonly errorDocument: (thrown: unknown) => string
}

/** What ends within this time is answered with its own status. */
const promptMs = 5_000
/** Nobody between takes a connection for dead on which something comes so often. */
const whitespaceMs = 5_000

/**
 * The response to what may take longer than anybody waits for a first byte. As S3 does, status 200 and the
 * beginning of the document are sent then, and spaces until there is something to say; what fails after that
 * is an error document with status 200, which clients of S3 look for.
 */
export async function patientResponse(
  result: Promise<LongResult>,
  patience: Patience,
): Promise<Response> {
  const { promise: isLong, resolve } = Promise.withResolvers<undefined>()
  const cancel = patience.after(promptMs, () => resolve(undefined))
  try {
    const prompt = await Promise.race([result, isLong])
    if (prompt !== undefined)
      return new Response(xmlDocument(prompt.root, prompt.content), {
        headers: { ...xmlFields, ...prompt.headers },
      })
  } finally {
    cancel()
  }
  return new Response(whitespaceUntil(result, patience), { headers: xmlFields })
}

function whitespaceUntil(
  result: Promise<LongResult>,
  { after, errorDocument }: Patience,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let stop: (() => void) | undefined
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const say = (text: string) => controller.enqueue(encoder.encode(text))
      const wait = () => {
        stop = after(whitespaceMs, () => {
          say(' ')
          wait()
        })
      }
      const end = (document: string) => {
        stop?.()
        say(document.slice(xmlDeclaration.length))
        controller.close()
      }
      say(xmlDeclaration)
      wait()
      // Whoever has gone away hears of nothing; the work is done to its end all the same.
      void result
        .then(({ root, content }) => xmlDocument(root, content), errorDocument)
        .then(end)
        .catch(() => {})
    },
    cancel: () => stop?.(),
  })
}
