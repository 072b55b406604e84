import type { TransformJob } from '../../../ports/media/renderer.ts'
import { rendererContract } from '../../../ports/media/renderer.contract.ts'
import {
  headerSample,
  mediaFactsStoreContract,
} from '../../../ports/media/media-facts-store.contract.ts'
import {
  contractVariantLimits,
  variantStoreContract,
} from '../../../ports/media/variant-store.contract.ts'
import { embeddedMetadataStoreContract } from '../../../ports/media/embedded-metadata.contract.ts'
import { MemoryEmbeddedMetadataStore } from './memory-embedded-metadata-store.ts'
import { MemoryMediaFactsStore } from './memory-media-facts-store.ts'
import { type MemoryImage, MemoryRenderer } from './memory-renderer.ts'
import { textReaderContract } from '../../../ports/media/text-reader.contract.ts'
import { MemoryTextReader } from './memory-text-reader.ts'
import { MemoryVariantStore } from './memory-variant-store.ts'

variantStoreContract('memory', async () => new MemoryVariantStore(contractVariantLimits))
const utf8 = (text: string) => new TextEncoder().encode(text)
textReaderContract('memory', async () => ({
  reader: new MemoryTextReader(),
  written: utf8('Summer Sale'),
  blank: utf8(' '),
  damaged: utf8('damaged'),
}))
mediaFactsStoreContract('memory', async () => new MemoryMediaFactsStore())
embeddedMetadataStoreContract('memory', async () => new MemoryEmbeddedMetadataStore())

rendererContract('memory', async () => {
  const size = { width: 4, height: 3 }
  const header = { ...headerSample, ...size }
  const images: [string, MemoryImage][] = [
    ['/sound', { header }],
    ['/damaged', { header, fault: 'damaged' }],
    ['/endless', { header, fault: 'too-slow' }],
  ]
  const jobOn = (path: string): TransformJob => ({
    kind: 'transform',
    source: { path, format: 'png', size, isSrgb: true },
    isAnimated: false,
    resize: size,
    output: { format: 'webp', quality: 80, effort: 'fast', isGraphic: false },
  })
  const renderer = new MemoryRenderer(new Map(images))
  return {
    renderer,
    sound: jobOn('/sound'),
    damaged: jobOn('/damaged'),
    missing: jobOn('/missing'),
    endless: jobOn('/endless'),
    [Symbol.asyncDispose]: () => renderer[Symbol.asyncDispose](),
  }
})
