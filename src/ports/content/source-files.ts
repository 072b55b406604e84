/** Blobs as files of this machine, for processes that cannot be handed a stream. */
export interface SourceFiles extends AsyncDisposable {
  /** A file with exactly the blob's bytes that stays for at least a minute, or `undefined`. */
  path(sha256: string): Promise<string | undefined>
  /** Has a copy that was made for this made anew; answers whether there was one. */
  forget(sha256: string): Promise<boolean>
}
