import { LruCache } from '../../lib/collections/lru-cache.ts'

/** What stood at a path. */
export interface FormerContent {
  readonly sha256: string
  readonly sizeBytes: number
}

/** The newest former contents of a path, newest first, a few. Rejects where they cannot be told now. */
export type FormerContentsOf = (path: string) => Promise<readonly FormerContent[]>

/** Which contents a path had before the one it has. */
export interface FormerContents {
  /** To be told of what is about to be delivered. */
  note(path: string, content: FormerContent): void
  /** `undefined` where that was not looked up since the path has had this content; then it is, soon. */
  known(path: string, sha256: string): readonly FormerContent[] | undefined
  lookUp(path: string, sha256: string): Promise<readonly FormerContent[]>
}

const maxPaths = 10_000
const maxNoted = 4

/**
 * Looks each path up once for each content that it gets, so that no number of made-up names of dictionaries asks
 * more. Without a place to ask there is what was delivered here before.
 */
export function createFormerContents(
  formerContentsOf: FormerContentsOf | undefined,
): FormerContents {
  const noted = new LruCache<readonly FormerContent[]>({ maxWeight: maxPaths, weigh: () => 1 })
  const found = new LruCache<readonly FormerContent[]>({ maxWeight: maxPaths, weigh: () => 1 })

  return {
    note(path, content) {
      const all = noted.get(path) ?? []
      if (all[0]?.sha256 === content.sha256) return
      const others = all.filter(({ sha256 }) => sha256 !== content.sha256)
      noted.set(path, [content, ...others].slice(0, maxNoted))
    },
    known: (path, sha256) => found.get(`${sha256} ${path}`),
    async lookUp(path, sha256) {
      const asked = (await formerContentsOf?.(path).catch(() => undefined)) ?? []
      const byDigest = new Map(
        [...(noted.get(path) ?? []), ...asked].map((each) => [each.sha256, each]),
      )
      byDigest.delete(sha256)
      const all = [...byDigest.values()]
      found.set(`${sha256} ${path}`, all)
      return all
    },
  }
}
