/** How large each of the works is that a loop must not stand still for. */
export interface Sizes {
  /** Files of one push, by git over HTTP. */
  readonly pushed: number
  /** Files of the commits that a service finds at its start, and while it runs. */
  readonly replayed: number
  readonly archived: number
  readonly domains: number
  /** Days and zones with traffic. */
  readonly days: number
  readonly zones: number
  readonly pictures: number
  readonly films: number
  readonly previewed: number
}

export const smallSizes: Sizes = {
  pushed: 1_500,
  replayed: 1_500,
  archived: 500,
  domains: 40,
  days: 400,
  zones: 5,
  pictures: 6,
  films: 2,
  previewed: 500,
}

export const fullSizes: Sizes = {
  pushed: 20_000,
  replayed: 40_000,
  archived: 5_000,
  domains: 1_000,
  days: 400,
  zones: 200,
  pictures: 60,
  films: 12,
  previewed: 5_000,
}
