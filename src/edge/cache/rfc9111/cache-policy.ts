/** What the operator may decide about a cache. */
export interface CachePolicy {
  /** Targeted fields that speak to this cache, its own before the general one (RFC 9213). */
  readonly targetedFields: readonly string[]
  /**
   * `permitted` stores whatever RFC 9111 permits. `guarded` leaves out what would harm if the origin
   * had said more than it meant: error answers (anybody can provoke one with a strange request) other
   * than 404 and 410, and answers that set cookies without being declared public.
   */
  readonly storing: 'guarded' | 'permitted'
  /** The part of its age at which an answer without explicit lifetime is still fresh; 0 for never. */
  readonly heuristicFraction: number
  readonly maxHeuristicSeconds: number
  /** The longest that an error answer is fresh, whatever it says of itself. */
  readonly maxNegativeSeconds: number
  /** How long past its lifetime an answer may stand in for an origin that cannot be reached at all. */
  readonly staleOnDisconnectSeconds: number
  /** How long a request waits for another one's answer before it asks the origin itself. */
  readonly collapseWaitMs: number
  /** Whether clients' Cache-Control counts. RFC 9111 §5.2.1 leaves that to the cache. */
  readonly honoursRequestDirectives: boolean
  /**
   * Bodies up to this are waited for where they come from the origin, so that the client hears their length
   * and never half of them: Bun sends whatever is still coming in chunks.
   */
  readonly awaitedBodyBytes: number
  readonly maxVariants: number
  /** Whether Cache-Status tells the key. */
  readonly showsKey: boolean
}

export const defaultCachePolicy: CachePolicy = {
  targetedFields: ['sedge-cache-control', 'cdn-cache-control'],
  storing: 'guarded',
  heuristicFraction: 0.1,
  maxHeuristicSeconds: 86_400,
  maxNegativeSeconds: 60,
  staleOnDisconnectSeconds: 86_400,
  collapseWaitMs: 10_000,
  honoursRequestDirectives: true,
  awaitedBodyBytes: 1 << 16,
  maxVariants: 32,
  showsKey: false,
}
