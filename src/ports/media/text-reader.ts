/** Reads what is written in images. */
export interface TextReader extends AsyncDisposable {
  /**
   * The words of a PNG that it is sure of, in their order; '' where there are none. One image is read
   * at a time. Rejects with `UnreadableImageError` where the image is at fault, because it is
   * damaged, takes too long or too much memory; the next one is then read as if nothing had been.
   * Rejects with `TextReaderUnavailableError` where nothing can be read now, and with nothing else.
   */
  read(png: Uint8Array): Promise<string>
}

/** The image is at fault. */
export class UnreadableImageError extends Error {
  override readonly name = 'UnreadablePictureError'
}

/** There is nobody to read now; no image is to blame. */
export class TextReaderUnavailableError extends Error {
  override readonly name = 'TextReaderUnavailableError'
}
