import type { RuleRequest } from '../../domain/content/rules/headers/header-rules.ts'
import type { LocatedAsset } from './locate.ts'
import type { Refusal } from './refusals.ts'
import type { RuleBook } from './rule-book.ts'
import type { Site } from './site.ts'

/** A request and the IP address that it came from. */
export interface Visit {
  readonly request: Request
  readonly clientAddress: string | undefined
}

/** An address and the asset it was found to mean. */
export interface Address {
  /**
   * Names the answer: addresses that differ in a query that means nothing share it. It is the address
   * itself where nothing but the address decided.
   */
  readonly key: string
  readonly site: Site
  readonly located: LocatedAsset
  readonly asked: RequestedUrl
  readonly book: RuleBook
  readonly dependsOnClient: boolean
  /** Other than 200 where a rule says so. */
  readonly status: number
}

/** The address as rules see it. */
export interface RequestedUrl extends RuleRequest {
  /** Whether the host name is one of the service's own, where the dashboard may be. */
  readonly isOwnHost: boolean
}

/** What the request asked about, for counting. `''` where there is none. */
export interface Subject {
  readonly zone: string
  readonly path: string
  /** Absent where the request named no host of ours, and so no rule can be for it. */
  readonly asked?: RequestedUrl
}

export type Decision =
  | { readonly kind: 'asset'; readonly address: Address }
  | { readonly kind: 'preflight' }
  | {
      readonly kind: 'redirect'
      readonly status: number
      readonly location: string
      readonly dependsOnClient: boolean
      readonly about: Subject
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly about: Subject }

export const subjectOf = ({ record: { zone, path } }: LocatedAsset): Subject => ({ zone, path })
