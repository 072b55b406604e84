/** What somebody acted with, or who did where nobody asked: the service by itself. */
export type SenderKind = 'key' | 'token' | 'session' | 'grant' | 'person' | 'service'

/** Whose doing something was: an id of a credential or a person, never a secret. */
export interface Sender {
  readonly kind: SenderKind
  readonly id: string
  /** What people call it, where that is known. */
  readonly name?: string
}
