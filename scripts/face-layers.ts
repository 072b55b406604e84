import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

// Assembles the layers of the face detector. `bun scripts/face-layers.ts`, after a change of `layers.wat`.

interface Assembler {
  parseWat(name: string, text: string, features: object): { toBinary(options: object): Binary }
}
interface Binary {
  readonly buffer: Uint8Array
}

const faces = new URL('../src/adapters/sharp/faces/', import.meta.url)
const tools = fileURLToPath(new URL('../tools/', import.meta.url))

export async function assembledLayers(): Promise<Uint8Array> {
  const open = createRequire(tools)('wabt') as () => Promise<Assembler>
  const text = await Bun.file(new URL('layers.wat', faces)).text()
  const features = { simd: true, bulk_memory: true }
  return (await open()).parseWat('layers.wat', text, features).toBinary({}).buffer
}

if (import.meta.main) await Bun.write(new URL('layers.wasm', faces), await assembledLayers())
