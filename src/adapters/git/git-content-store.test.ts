import { contentStoreContract } from '../../ports/content/content-store.contract.ts'
import { contentLinesContract } from '../../ports/previews/content-lines.contract.ts'
import { openTestStore } from './fixtures/open-test-store.ts'

async function open({ now }: { readonly now: () => Date }) {
  const { store, blobs } = await openTestStore({ now })
  return { store, blobs }
}

contentStoreContract('git', open)
contentLinesContract('git', open)
