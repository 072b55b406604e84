import type { Feed } from '../../ports/records/manifest.ts'

/** Has something forgotten at each erasure that is heard of. It is told by no names: erasures are rare. */
export const onErased = (feed: Pick<Feed, 'subscribe'>, forget: () => void): Disposable =>
  feed.subscribe((entries) => {
    if (entries.some(({ event }) => event === 'content.erased')) forget()
  })
