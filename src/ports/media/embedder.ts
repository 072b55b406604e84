/** Somebody waits for a vector that is wanted `now`; it goes before all that is not. */
export type EmbeddingPriority = 'now' | 'background'

/** Turns short texts into vectors that lie close together where the texts mean alike. */
export interface Embedder extends AsyncDisposable {
  /** Whether a text would be embedded at once, without waiting for the model to be loaded. */
  readonly isReady: boolean
  /** Begins to load the model where it is not loaded. Never throws, never waits. */
  warmUp(): void
  /**
   * Names model and engine; which engine it is may only be known once the model is loaded. Rejects with
   * `EmbedderUnavailableError` and nothing else.
   */
  space(): Promise<string>
  /** Whether its vectors can be compared with those of a space: the same model made both, on whatever engine. */
  isLike(space: string): boolean
  /**
   * The vector of one text, of length 1, the same for the same text every time, with as many parts as
   * every other. Any text will do; of a
   * long one the beginning counts. Rejects with `EmbedderUnavailableError` and nothing else.
   */
  embed(text: string, priority: EmbeddingPriority): Promise<Float32Array>
}

/** There is no model now; no text is to blame. Whoever asks does without. */
export class EmbedderUnavailableError extends Error {
  override readonly name = 'EmbedderUnavailableError'
}
