/** What the process that evaluates the model says. */
export type MinilmMessage =
  | { readonly kind: 'ready'; readonly layers: readonly string[] }
  /** The engine cannot be had: no other try will go better. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'vector'; readonly vector: Float32Array }
  | { readonly kind: 'failed'; readonly reason: string }

export interface MinilmRequest {
  readonly text: string
}
