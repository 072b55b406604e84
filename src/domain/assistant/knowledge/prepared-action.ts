/**
 * Something that somebody asked for and that changes what is served or known. It is only said what it would be: a
 * person confirms it, and then it is done by the ordinary interface with that person's own rights.
 */
export type PreparedAction =
  | { readonly kind: 'purge'; readonly target: PurgedTarget }
  | {
      readonly kind: 'transform'
      readonly path: string
      readonly parameters: ReadonlyMap<string, string>
    }
  | {
      readonly kind: 'tag'
      readonly verb: 'tag' | 'untag'
      readonly paths: readonly string[]
      readonly tags: readonly string[]
    }
  | {
      readonly kind: 'redirect'
      /** Whose own rules it belongs to; left out, those of all zones. */
      readonly zone: string | undefined
      /** As it stands in `_redirects`. */
      readonly line: string
    }

export type PurgedTarget =
  | { readonly kind: 'urls'; readonly urls: readonly string[] }
  | { readonly kind: 'tags'; readonly tags: readonly string[] }
  | { readonly kind: 'everything' }
