import { expect, test } from 'bun:test'
import { join } from 'node:path'

const root = join(import.meta.dir, '..')

/** Files of other projects that are kept here as they were published, by their SHA-256 (unpacked). */
const sha256ByFile: Readonly<Record<string, string>> = {
  'web/watch/hls/hls.min.mjs': '5501f1d9091b6f749e0ef61aff4b9ea3ba13fd5fa5e2aefb6fc0ff871847a531',
  'web/site/scalar/standalone.js.gz':
    'bf091006bdc3af6067af77c2f534812e3e633e94a94e87138069f570f33b762c',
  'scripts/world-map/countries-110m.json':
    '2516c915867c7baf18ddec727aec46c315541a07cfb3d79a6559b05d5e94eee8',
  'src/adapters/sharp/faces/tiny-face-detector/tiny_face_detector_model.bin':
    'b7503ce7df31039b1c43316a9b865cab6a70dd748cc602d3fa28b551503c3871',
  'src/adapters/sharp/faces/tiny-face-detector/tiny_face_detector_model-weights_manifest.json':
    '5d1af4849ac48d5b985f4a9b16010c512353ddd6fcc63d50fd0bc9e9e64296e5',
}

test('what is taken over from others is what they published, with their licence', async () => {
  for (const [file, sha256] of Object.entries(sha256ByFile)) {
    const kept = await Bun.file(join(root, file)).bytes()
    const bytes = file.endsWith('.gz') ? Bun.gunzipSync(kept) : kept
    expect({ file, sha256: new Bun.CryptoHasher('sha256').update(bytes).digest('hex') }).toEqual({
      file,
      sha256,
    })
    expect(await Bun.file(join(root, file, '..', 'LICENSE')).exists()).toBe(true)
  }
})
