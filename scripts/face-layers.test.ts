import { expect, test } from 'bun:test'

import { assembler, have } from '../test/support/needs.ts'
import { assembledLayers } from './face-layers.ts'

if (have('the layers of the face detector are as they are written', assembler))
  test('the layers of the face detector are as they are written', async () => {
    const kept = new URL('../src/adapters/sharp/faces/layers.wasm', import.meta.url)
    expect(Buffer.from(await assembledLayers())).toEqual(Buffer.from(await Bun.file(kept).bytes()))
  })
