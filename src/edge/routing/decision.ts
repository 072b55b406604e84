import type { RuleBook } from '../../domain/content/rules/books/rule-books.ts'
import type { RuledUrl } from '../../domain/content/rules/books/ruled-url.ts'
import type { WantedPast } from '../../domain/content/past/pins.ts'
import type { LocatedAsset } from './location.ts'
import type { Refusal } from './refusals.ts'
import type { Site } from './site.ts'
import type { RequestHead } from '../../http/wire/request-head.ts'

/** What is asked for, and the IP address that it came from. */
export interface HeadVisit {
  readonly request: RequestHead
  readonly clientAddress: string | undefined
  /** When it came, by a clock that only goes on; nothing where nobody asks how long it took. */
  readonly startMs?: number
}

export interface Visit extends HeadVisit {
  readonly request: Request
}

/** A URL and the asset it was found to mean. */
export interface Route {
  /**
   * Names the response: URLs that differ in a query that means nothing share it. It is the URL
   * itself where nothing but the URL decided.
   */
  readonly key: string
  readonly site: Site
  readonly located: LocatedAsset
  readonly url: RuledUrl
  readonly book: RuleBook
  readonly dependsOnClient: boolean
  /** Other than 200 where a rule says so. */
  readonly status: number
}

/** What the request asked about, for counting. `''` where there is none. */
export interface Subject {
  readonly zone: string
  readonly path: string
  /** Absent where the request named no host of ours, and so no rule can be for it. */
  readonly url?: RuledUrl
}

export type Decision =
  | { readonly kind: 'asset'; readonly route: Route }
  | { readonly kind: 'preflight' }
  | {
      readonly kind: 'redirect'
      readonly status: number
      readonly location: string
      readonly dependsOnClient: boolean
      readonly about: Subject
    }
  | {
      readonly kind: 'refused'
      readonly refusal: Refusal
      readonly about: Subject
      /** Absent where no rule was asked. */
      readonly dependsOnClient?: boolean
    }
  /** To be decided again once this is looked up. */
  | { readonly kind: 'past'; readonly wanted: WantedPast; readonly about: Subject }

export const subjectOf = ({ record: { zone, path } }: OfAsset): Subject => ({ zone, path })

/** What is about an asset. */
export interface OfAsset {
  readonly record: Pick<LocatedAsset['record'], 'zone' | 'path'>
}
