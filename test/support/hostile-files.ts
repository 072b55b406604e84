import { expect } from 'bun:test'

import { painted, photoPainter } from '../fixtures/sample-images.ts'
import type { Random } from './random.ts'
import { openLocalService } from './local-service.ts'
import { access, account, temporaryDirectory } from './service-process.ts'

type File = Uint8Array<ArrayBuffer>

/** A service behind a socket that is sent files which may be anything. */
export interface HostileFiles extends AsyncDisposable {
  /** Stores the file and asks for all that `asked` names: each is answered, or refused as a fault of the file. */
  isHeldOut(name: string, bytes: File, asked: (path: string) => readonly string[]): Promise<void>
  /** A sound image is still made, and nothing was logged that anybody has to see to. */
  isUnmoved(): Promise<void>
}

export async function openHostileFiles(): Promise<HostileFiles> {
  await using opening = new AsyncDisposableStack()
  const directory = opening.use(await temporaryDirectory())
  const environment = { SEARCH_BY_NAME_ONLY: 'true' }
  const service = opening.use(
    await openLocalService({ dataDirectory: directory.path, environment }),
  )
  await fetch(`${service.url}/api/core/zones`, {
    method: 'POST',
    headers: account,
    body: JSON.stringify({ Name: 'acme' }),
  })

  async function put(path: string, body: File): Promise<void> {
    const url = `${service.url}/api/storage/${path}`
    const { status } = await fetch(url, { method: 'PUT', headers: access, body })
    expect(`${path}: ${status}`).toBe(`${path}: 201`)
  }

  const image = await painted({ width: 90, height: 60 }, photoPainter(1)).jpeg().toBuffer()
  await put('acme/v1/photos/sound.jpg', new Uint8Array(image))
  let turn = 0
  const opened = opening.move()
  return {
    async isHeldOut(name, bytes, asked) {
      const path = `acme/v1/files/${name}`
      await put(path, bytes)
      for (const url of asked(path)) {
        const response = await fetch(service.url + url)
        await response.bytes()
        expect([200, 422], `${url} is ${response.status}`).toContain(response.status)
      }
    },
    async isUnmoved() {
      turn += 1
      const url = `/api/transform?url=/acme/v1/photos/sound.jpg&w=${10 + turn}&format=png`
      expect((await fetch(service.url + url)).status).toBe(200)
      expect((await fetch(`${service.url}/api/health`)).status).toBe(200)
      expect(service.lines.filter((line) => /fatal|unexpected/iu.test(line))).toEqual([])
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** The file cut off at any place. */
export const cutOff = (file: File, random: Random): File =>
  file.slice(0, random.integer(1, file.length - 1))

/** The file with some of its bytes changed, mostly where it says what it is made of. */
export function changed(file: File, random: Random): File {
  const bytes = file.slice()
  const count = random.integer(1, 12)
  for (let change = 0; change < count; change += 1) {
    const reach = random.pick([600, 4000, bytes.length])
    const place = random.integer(4, Math.min(reach, bytes.length) - 1)
    const isAtEnd = random.integer(0, 3) === 0
    bytes[isAtEnd ? bytes.length - 1 - place : place] = random.integer(0, 255)
  }
  return bytes
}
