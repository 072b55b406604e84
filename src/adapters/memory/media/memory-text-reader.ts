import {
  type TextReader,
  TextReaderUnavailableError,
  UnreadableImageError,
} from '../../../ports/media/text-reader.ts'

/** A TextReader for tests: an image is UTF-8, and what is written in it is what it says. */
export class MemoryTextReader implements TextReader {
  /** How many images were asked to be read. */
  readCount = 0
  #isClosed = false

  async read(png: Uint8Array): Promise<string> {
    if (this.#isClosed) throw new TextReaderUnavailableError('the reader is closed')
    this.readCount += 1
    const text = new TextDecoder().decode(png)
    if (text === '' || text.startsWith('damaged')) throw new UnreadableImageError('damaged')
    return text.trim()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
  }
}
