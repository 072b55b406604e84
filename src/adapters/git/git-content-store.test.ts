import { contentStoreContract } from '../../ports/content/content-store.contract.ts'
import { openTestStore } from './fixtures/open-test-store.ts'

contentStoreContract('git', async ({ now }) => {
  const opened = await openTestStore({ now })
  return { store: opened.store, blobs: opened.blobs }
})
