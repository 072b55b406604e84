/** What the process that reads says. */
export type TesseractMessage =
  | { readonly kind: 'ready'; readonly layers: readonly string[] }
  /** What it is made of is not there: no other try will go better. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unreadable'; readonly reason: string }

export interface TesseractRequest {
  readonly png: Uint8Array
}
