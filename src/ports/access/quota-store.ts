/** Counted use within a calendar window, e.g. purges of one UTC day. */
export interface QuotaStore {
  /**
   * Adds `amount` to the use of `name` in `window` unless that would go over `limit`; answers the use
   * then, or `undefined`, and nothing changed, where it would. Of many that ask at once no more than
   * `limit` are granted. It outlives the process once it is answered.
   */
  take(request: QuotaRequest): Promise<number | undefined>
  /**
   * As {@link take}, for several: all are taken or none. Answers the uses in the order of the requests, or
   * the place of the first that would go over its limit.
   */
  takeAll(requests: readonly QuotaRequest[]): Promise<TakenQuotas>
  /** Gives back what was taken and not used. Never below zero. */
  refund(request: Omit<QuotaRequest, 'limit'>): Promise<void>
  used(name: string, window: string): Promise<number>
}

export type TakenQuotas =
  | { readonly kind: 'granted'; readonly used: readonly number[] }
  | { readonly kind: 'refused'; readonly place: number }

export interface QuotaRequest {
  readonly name: string
  /** The window's own name, e.g. `2026-11-20` or `2026-11`. */
  readonly window: string
  readonly amount: number
  readonly limit: number
}
