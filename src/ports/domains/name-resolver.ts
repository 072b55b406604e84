/** What a look-up of records came to. */
export type LookUp =
  /** At least one record. */
  | { readonly kind: 'found'; readonly values: readonly string[] }
  /** There are none, or there is no such name. */
  | { readonly kind: 'none' }
  /** Nobody knows: no name server gave a response that means something. `reason` is for people. */
  | { readonly kind: 'unknown'; readonly reason: string }

/** Names as the world sees them. Look-ups are tried several times; none rejects. */
export interface NameResolver {
  /** Where a name is an alias of another: that name, in lower case, without a final dot. */
  alias(hostname: string): Promise<LookUp>
  /** IPv4 and IPv6 addresses, aliases followed. */
  addresses(hostname: string): Promise<LookUp>
  /** The character strings of its TXT records (RFC 1035 §3.3.14). Tried once: somebody waits for it. */
  texts(name: string): Promise<LookUp>
}
