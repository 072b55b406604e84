import type { ErasureStore } from '../../ports/erasing/erasure-store.ts'

interface Dependencies {
  readonly store: Pick<ErasureStore, 'list' | 'reopen'>
  readonly now: () => Date
}

const erasuresPerPage = 200
const repository = 'repository'
const detail = 'commits of others have brought the bytes back; they are taken out again'

/** Has the bytes leave the repository once more, since they have come back into it from elsewhere. */
export async function reopenErasures(
  sha256s: readonly string[],
  { store, now }: Dependencies,
): Promise<void> {
  const wanted = new Set(sha256s)
  let before: string | undefined
  do {
    const page = await store.list({ limit: erasuresPerPage, before })
    for (const { id, blobs } of page)
      if (blobs.some(({ sha256 }) => wanted.has(sha256)))
        await store.reopen(id, [{ name: repository, state: 'waiting', at: now(), detail }])
    before = page.length === erasuresPerPage ? page.at(-1)?.id : undefined
  } while (before !== undefined)
}
