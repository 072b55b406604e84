import { MinilmEmbedder } from '../src/adapters/models/minilm-embedder.ts'
import { meaningText } from '../src/domain/assistant/knowledge/knowledge.ts'
import { parsePassages } from '../src/domain/assistant/knowledge/passage.ts'
import {
  readReadyMade,
  writeReadyMade,
} from '../src/domain/assistant/knowledge/ready-made-vectors.ts'
import { packVector } from '../src/domain/search/vectors/packed-vectors.ts'

/**
 * Writes the vectors of the documentation's passages, so that the assistant knows it from its first second.
 * To be run before a release, and after the documentation has changed much: what has no vector here is
 * worked out at the first start. Vectors of texts that are still there stay as they are.
 */
const documents = new URL('../docs/', import.meta.url)
const target = Bun.file(new URL('knowledge.vectors', documents))
const passages = parsePassages(await Bun.file(new URL('knowledge.jsonl', documents)).text())

await using embedder = new MinilmEmbedder()
const space = await embedder.space()
const former = (await target.exists()) ? readReadyMade(await target.bytes()) : undefined
const isFormerLike = former?.space === space
const vectors = new Map<string, Uint8Array>()
for (const text of passages.map(meaningText))
  vectors.set(
    text,
    (isFormerLike ? former.vectorOf(text) : undefined) ??
      packVector(await embedder.embed(text, 'background')),
  )
await target.write(writeReadyMade(space, vectors))
