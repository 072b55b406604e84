import { sightingStoreContract } from '../../../ports/vision/sighting-store.contract.ts'
import { visionModelContract } from '../../../ports/vision/vision-model.contract.ts'
import { MemorySightingStore } from './memory-sighting-store.ts'
import { MemoryVisionModel } from './memory-vision-model.ts'

sightingStoreContract('memory', async () => new MemorySightingStore())
visionModelContract('memory', async (reply) => ({
  model: new MemoryVisionModel(() => reply),
  async [Symbol.asyncDispose]() {},
}))
