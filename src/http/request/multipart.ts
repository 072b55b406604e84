import { invalid, ServiceError } from '../../domain/errors.ts'

/** One control of a form. Its content is to be read, or left, before the next part is asked for. */
export interface FormPart {
  readonly name: string
  /**
   * As the browser calls the file, with U+FFFD for what is not in UTF-8; `undefined` where it is no file,
   * empty where none was chosen.
   */
  readonly fileName: string | undefined
  readonly contentType: string | undefined
  readonly content: AsyncIterable<Uint8Array>
}

const target = 'body'
const usualMaxParts = 32
const maxHeaderBytes = 8192
/** Browsers send nothing before the first part. */
const maxPreambleBytes = 1024
const newLine = Buffer.from('\r\n')
const headerEnd = Buffer.from('\r\n\r\n')

/**
 * The parts of a form as they arrive (RFC 7578), holding no more than a chunk and what may be the beginning
 * of a boundary. Ends only once the form does; one that breaks off, or breaks the rules, is
 * `InvalidParameter`.
 */
export async function* readForm(
  body: AsyncIterable<Uint8Array>,
  contentType: string | null,
  maxParts = usualMaxParts,
): AsyncGenerator<FormPart, void, undefined> {
  const delimiter = Buffer.from(`\r\n--${boundaryOf(contentType)}`)
  await using input = new FormInput(body)
  await skipPreamble(input, delimiter)
  for (let count = 1; await isPartNext(input); count += 1) {
    if (count > maxParts) throw invalid(target, `must have at most ${maxParts} parts`)
    const header = await input.readUntil(headerEnd, maxHeaderBytes)
    const content = contentOf(input, delimiter)
    yield { ...readHeader(header), content: { [Symbol.asyncIterator]: () => content } }
    for await (const _ of content);
  }
}

/** A short text field. */
export async function readField({ name, content }: FormPart, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of content) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes) throw invalid(name, `must be at most ${maxBytes} bytes long`)
    chunks.push(chunk)
  }
  return decode(Buffer.concat(chunks), name)
}

/** RFC 2046 §5.1.1. */
function boundaryOf(contentType: string | null): string {
  const type = (contentType ?? '').slice(0, 300)
  const boundary = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/iu.exec(type)
  if (!/^multipart\/form-data\s*;/iu.test(type) || boundary === null)
    throw new ServiceError(
      'UnsupportedMediaType',
      'Content-Type must be multipart/form-data with its boundary',
      { target: 'Content-Type' },
    )
  return boundary[1] ?? boundary[2] ?? ''
}

async function skipPreamble(input: FormInput, delimiter: Buffer): Promise<void> {
  // The first delimiter need not begin on a line of its own.
  input.unread(newLine)
  await input.readUntil(delimiter, maxPreambleBytes)
}

/** Right after a delimiter: whether a part follows, or the form is over. */
async function isPartNext(input: FormInput): Promise<boolean> {
  const [first, second] = await input.peek(2)
  if (first === 0x2d && second === 0x2d) return false
  if (first !== 0x0d || second !== 0x0a) throw malformed()
  return true
}

async function* contentOf(input: FormInput, delimiter: Buffer): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { bytes, isFound } = await input.readTowards(delimiter)
    if (bytes.length > 0) yield bytes
    if (isFound) return
  }
}

function readHeader(bytes: Buffer): Omit<FormPart, 'content'> {
  // A page in another encoding sends its own: what that holds is known to be wrong, and not what it is.
  const lines = new TextDecoder().decode(bytes).split('\r\n')
  const field = (name: string) =>
    lines
      .find((line) => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim()
  const disposition = field('content-disposition') ?? ''
  const name = /;\s?name="([^"]*)"/iu.exec(disposition)?.[1]
  if (!/^form-data\s*;/iu.test(disposition) || name === undefined) throw malformed()
  const fileName = /;\s?filename="([^"]*)"/iu.exec(disposition)?.[1]
  return {
    name: unescaped(name),
    fileName: fileName === undefined ? undefined : unescaped(fileName),
    contentType: field('content-type'),
  }
}

/** The three that browsers escape (HTML, multipart/form-data encoding algorithm). */
const unescaped = (text: string): string =>
  text.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n')

function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw invalid(name, inUtf8, cause)
  }
}

/** What a page in another encoding has to do. */
export const inUtf8 = 'must be in UTF-8: give the form accept-charset="utf-8"'

/** Bytes of a form, of which some are looked at before they are taken. */
class FormInput implements AsyncDisposable {
  readonly #source: AsyncIterator<Uint8Array>
  #bytes: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  unread(bytes: Uint8Array): void {
    this.#bytes = Buffer.concat([bytes, this.#bytes])
  }

  async peek(count: number): Promise<Buffer> {
    while (this.#bytes.length < count) await this.#fill()
    return this.#bytes.subarray(0, count)
  }

  /** What stands before `mark`, and takes both. */
  async readUntil(mark: Buffer, maxBytes: number): Promise<Buffer> {
    for (;;) {
      const at = this.#bytes.indexOf(mark)
      if (at > maxBytes || (at === -1 && this.#bytes.length > maxBytes + mark.length))
        throw malformed()
      if (at !== -1) return this.#take(at, mark.length)
      await this.#fill()
    }
  }

  /** The next bytes that stand before `mark`; takes it too where they reach it. */
  async readTowards(mark: Buffer): Promise<{ readonly bytes: Buffer; readonly isFound: boolean }> {
    const at = this.#bytes.indexOf(mark)
    if (at !== -1) return { bytes: this.#take(at, mark.length), isFound: true }
    const sure = Math.max(0, this.#bytes.length - mark.length + 1)
    const bytes = this.#take(sure, 0)
    await this.#fill()
    return { bytes, isFound: false }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#source.return?.()
  }

  #take(count: number, skipped: number): Buffer {
    const taken = this.#bytes.subarray(0, count)
    this.#bytes = this.#bytes.subarray(count + skipped)
    return taken
  }

  async #fill(): Promise<void> {
    const { done, value } = await this.#source.next()
    if (done === true) throw invalid(target, 'must be complete: the form breaks off')
    this.#bytes = Buffer.concat([this.#bytes, value])
  }
}

const malformed = () => invalid(target, 'must be a form as browsers send it')
