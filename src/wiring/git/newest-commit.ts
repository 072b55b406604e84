import type { Stores } from '../content/stores.ts'

/** The newest commit that is published, by the id that it has now. */
export async function newestCommit({
  publications,
  content,
}: Pick<Stores, 'publications' | 'content'>): Promise<string | undefined> {
  const { commitId } = await publications.position()
  const named = commitId === undefined ? undefined : await content.commitNamed(commitId)
  return typeof named === 'object' ? named.id : commitId
}
