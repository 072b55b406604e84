import { chatModelContract } from '../../../ports/media/chat-model.contract.ts'
import { MemoryChatModel } from './memory-chat-model.ts'

chatModelContract('memory', async ({ pieces, fails }) => ({
  model: new MemoryChatModel(() => (fails ? [...pieces, undefined] : pieces)),
  async [Symbol.asyncDispose]() {},
}))
